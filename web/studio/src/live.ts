// Motion that comes while it is made: over a WebSocket, frame by frame; docs/studio.md describes the messages.
import { Fault, type Progress, type Told, drop, send } from "./api.ts";
import { type Motion, decode } from "./motion.ts";

/** Who is told what. `A` is what the panel says first, `S` what it says with frames. */
export interface Hears<A, S> {
  /** It is being prepared. */
  preparing: (progress: Progress) => void;
  /** It begins, with these figures. */
  opened: (motion: Motion, about: A) => void;
  /** The figures stand anew; something may be said with it. */
  frame: (number: number, said: S | null) => void;
}

type News = ({ state: "preparing" } & Progress) | { state: "done"; motions: string[] } | { state: "failed"; fault: Told };

const LOST = { code: "page/no-answer", message: "The play broke off.", hint: "Is `marey studio` still running? Begin again.", place: {} };

export class Live<A, S> {
  private readonly number: number;
  private readonly socket: WebSocket;
  private motion: Motion | null = null;
  /** What came of it when it is over. */
  readonly over: Promise<string[]>;

  private constructor(number: number, hears: Hears<A, S>) {
    this.number = number;
    this.socket = new WebSocket(`ws://${location.host}/api/live/${number}`);
    this.socket.binaryType = "arraybuffer";
    this.over = new Promise((resolve, reject) => {
      this.socket.addEventListener("close", () => reject(new Fault(LOST)));
      this.socket.addEventListener("message", ({ data }: MessageEvent<string | ArrayBuffer>) => {
        if (typeof data !== "string") return this.take(data, hears);
        const news = JSON.parse(data) as News;
        if (news.state === "preparing") hears.preparing(news);
        else if (news.state === "done") resolve(news.motions);
        else reject(new Fault(news.fault));
      });
    });
  }

  /** Has a panel begin to play, and watches. */
  static async begin<A, S>(panel: string, wish: unknown, hears: Hears<A, S>): Promise<Live<A, S>> {
    const { live } = await send<{ live: number }>(`/api/panels/${panel}/play`, wish);
    return new Live(live, hears);
  }

  /** Says something to the one who makes it. */
  say(word: unknown): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(word));
  }

  /** Ends it; what came of it is told by `over`. */
  end(): Promise<void> {
    return drop(`/api/live/${this.number}`);
  }

  private take(bytes: ArrayBuffer, hears: Hears<A, S>): void {
    if (!this.motion) {
      const { text, from } = textAt(bytes, 0);
      this.motion = decode(bytes.slice(from));
      return hears.opened(this.motion, JSON.parse(text) as A);
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
    hears.frame(number, text.trim() === "" ? null : (JSON.parse(text) as S));
  }
}

/** A text with its length before it, and where what follows it begins. */
function textAt(bytes: ArrayBuffer, at: number): { text: string; from: number } {
  const length = new DataView(bytes).getUint32(at, true);
  return { text: new TextDecoder().decode(new Uint8Array(bytes, at + 4, length)), from: at + 4 + length };
}
