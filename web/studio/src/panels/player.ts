// A button that starts and stops a live session, and shows its result.
import type { App } from "../app.ts";
import { button } from "../dom.ts";
import { Live } from "../live.ts";
import type { Motion } from "../motion.ts";

/** The handlers of a panel. */
export interface PlayerHandlers<A, S> {
  /** The panel's name in addresses. */
  panel: string;
  /** Label of the progress bar. */
  preparing: string;
  message: () => unknown;
  /** The session has started; its figures are on the stage. */
  opened: (about: A, motion: Motion) => void;
  frame: (number: number, state: S | null) => void;
  /** The session has ended, or could not start. */
  ended: () => void;
}

export class Player<A, S> {
  readonly button: HTMLButtonElement;
  private readonly app: App;
  private readonly label: string;
  private readonly handlers: PlayerHandlers<A, S>;
  private live: Live<A, S> | null = null;
  private frames = 0;
  private counted = performance.now();

  constructor(app: App, label: string, title: string, id: string, handlers: PlayerHandlers<A, S>) {
    this.app = app;
    this.label = label;
    this.handlers = handlers;
    this.button = button(label, title, () => (this.live ? this.end() : this.start()), { class: "primary", id });
  }

  get isOn(): boolean {
    return this.live !== null;
  }

  /** Sends a message to the session. */
  send(message: unknown): void {
    this.live?.send(message);
  }

  /** Ends the session, if it is running. */
  end(): void {
    if (!this.live) return;
    this.button.disabled = true;
    this.app.try(this.live.end());
  }

  /** Frames per second since the last call. */
  rateHz(): number {
    const now = performance.now();
    const hz = Math.round((1000 * this.frames) / Math.max(now - this.counted, 1));
    [this.frames, this.counted] = [0, now];
    return hz;
  }

  private start(): void {
    this.button.disabled = true;
    const task = this.app.notices.work(this.handlers.preparing, async (progress, cancelled) => {
      let resolveOpen: () => void = () => undefined;
      const isOpen = new Promise<void>((resolve) => (resolveOpen = resolve));
      const live = await Live.start<A, S>(this.handlers.panel, this.app.characters.query(), this.handlers.message(), {
        preparing: progress,
        dress: (motion) => this.app.characters.dress(motion),
        opened: (motion, about) => {
          this.app.showLive(motion);
          this.handlers.opened(about, motion);
          resolveOpen();
        },
        frame: (number, state) => {
          this.frames += 1;
          this.handlers.frame(number, state);
        },
      });
      cancelled.addEventListener("abort", () => void live.end());
      this.live = live;
      await Promise.race([isOpen, live.over]);
      this.button.textContent = "Stop and keep";
      return live;
    });
    this.app.try(this.watch(task));
  }

  private async watch(task: Promise<Live<A, S> | null>): Promise<void> {
    let motions: string[] = [];
    try {
      const live = await task;
      this.button.disabled = false;
      motions = live ? await live.over : [];
    } finally {
      this.live = null;
      this.button.disabled = false;
      this.button.textContent = this.label;
      this.handlers.ended();
    }
    if (motions.length > 0) await this.app.present(motions);
  }
}
