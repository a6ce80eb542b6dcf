// A live session over a WebSocket. docs/studio.md describes the messages.
import { type Problem, type Progress, StudioError, deleteAt, postJson } from "./api.ts";
import { type Motion, decode } from "./motion.ts";

/** Handlers of a session. `A` is the description that comes first, `S` the state that comes with frames. */
export interface LiveHandlers<A, S> {
  /** The session is being prepared. */
  preparing: (progress: Progress) => void;
  /** Gives the figures their looks before the session starts. */
  dress: (motion: Motion) => Promise<Motion>;
  /** The session starts with these figures. */
  opened: (motion: Motion, about: A) => void;
  /** A frame has arrived; the state is null if it has not changed. */
  frame: (number: number, state: S | null) => void;
}

type SessionState = ({ state: "preparing" } & Progress) | { state: "done"; motions: string[] } | { state: "failed"; error: Problem };

const INTERRUPTED = { code: "page/no-answer", message: "The live session was interrupted.", hint: "Is `marey studio` still running? Start the session again.", place: {} };

export class Live<A, S> {
  private readonly number: number;
  private readonly socket: WebSocket;
  private motion: Motion | null = null;
  private isOpen = false;
  /** The ids of the resulting motions, after the end. */
  readonly over: Promise<string[]>;

  private constructor(number: number, handlers: LiveHandlers<A, S>) {
    this.number = number;
    this.socket = new WebSocket(`ws://${location.host}/api/live/${number}`);
    this.socket.binaryType = "arraybuffer";
    this.over = new Promise((resolve, reject) => {
      this.socket.addEventListener("close", () => reject(new StudioError(INTERRUPTED)));
      this.socket.addEventListener("message", ({ data }: MessageEvent<string | ArrayBuffer>) => {
        if (typeof data !== "string") return this.receive(data, handlers, reject);
        const state = JSON.parse(data) as SessionState;
        if (state.state === "preparing") handlers.preparing(state);
        else if (state.state === "done") resolve(state.motions);
        else reject(new StudioError(state.error));
      });
    });
  }

  /** Starts a live session of a panel; the query names the character that shows it. */
  static async start<A, S>(panel: string, query: string, message: unknown, handlers: LiveHandlers<A, S>): Promise<Live<A, S>> {
    const { live } = await postJson<{ live: number }>(`/api/panels/${panel}/play${query}`, message);
    return new Live(live, handlers);
  }

  /** Sends a message to the session. */
  send(message: unknown): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Ends the session; `over` then resolves. */
  end(): Promise<void> {
    return deleteAt(`/api/live/${this.number}`);
  }

  private receive(bytes: ArrayBuffer, handlers: LiveHandlers<A, S>, failed: (reason: unknown) => void): void {
    if (!this.motion) {
      const { text, from } = textAt(bytes, 0);
      const motion = decode(bytes.slice(from));
      this.motion = motion;
      handlers.dress(motion).then(() => {
        this.isOpen = true;
        handlers.opened(motion, JSON.parse(text) as A);
      }, failed);
      return;
    }
    const number = new DataView(bytes).getUint32(0, true);
    const { text, from } = textAt(bytes, 4);
    let at = from;
    for (const { positions, rotations } of this.motion.actors) {
      for (const array of [positions, rotations]) {
        array.set(new Float32Array(bytes, at, array.length));
        at += 4 * array.length;
      }
    }
    if (this.isOpen) handlers.frame(number, text.trim() === "" ? null : (JSON.parse(text) as S));
  }
}

/** A text with its length before it, and the position after it. */
function textAt(bytes: ArrayBuffer, at: number): { text: string; from: number } {
  const length = new DataView(bytes).getUint32(at, true);
  return { text: new TextDecoder().decode(new Uint8Array(bytes, at + 4, length)), from: at + 4 + length };
}
