// A button that begins a play and ends it; what was played is shown when it is over.
import type { App } from "../app.ts";
import { button } from "../dom.ts";
import { Live } from "../live.ts";
import type { Motion } from "../motion.ts";

/** What a panel does about its play. */
export interface Plays<A, S> {
  /** The panel's name in addresses. */
  panel: string;
  /** What is said while it is prepared. */
  preparing: string;
  wish: () => unknown;
  /** It begins: figures are on the stage. */
  opened: (about: A, motion: Motion) => void;
  frame: (number: number, said: S | null) => void;
  /** It is over, or was never begun. */
  rested: () => void;
}

export class Player<A, S> {
  readonly button: HTMLButtonElement;
  private readonly app: App;
  private readonly word: string;
  private readonly plays: Plays<A, S>;
  private live: Live<A, S> | null = null;
  private frames = 0;
  private counted = performance.now();

  constructor(app: App, word: string, title: string, id: string, plays: Plays<A, S>) {
    this.app = app;
    this.word = word;
    this.plays = plays;
    this.button = button(word, title, () => (this.live ? this.end() : this.begin()), { class: "primary", id });
  }

  get isOn(): boolean {
    return this.live !== null;
  }

  /** Says something to the one who makes it. */
  say(word: unknown): void {
    this.live?.say(word);
  }

  /** Ends it, where it goes on. */
  end(): void {
    if (!this.live) return;
    this.button.disabled = true;
    this.app.try(this.live.end());
  }

  /** How many frames a second came since this was last asked. */
  rateHz(): number {
    const now = performance.now();
    const hz = Math.round((1000 * this.frames) / Math.max(now - this.counted, 1));
    [this.frames, this.counted] = [0, now];
    return hz;
  }

  private begin(): void {
    this.button.disabled = true;
    const task = this.app.notices.work(this.plays.preparing, async (progress, cancelled) => {
      let begun: () => void = () => undefined;
      const isOpen = new Promise<void>((resolve) => (begun = resolve));
      const live = await Live.begin<A, S>(this.plays.panel, this.plays.wish(), {
        preparing: progress,
        opened: (motion, about) => {
          this.app.perform(motion);
          this.plays.opened(about, motion);
          begun();
        },
        frame: (number, said) => {
          this.frames += 1;
          this.plays.frame(number, said);
        },
      });
      cancelled.addEventListener("abort", () => void live.end());
      this.live = live;
      await Promise.race([isOpen, live.over]);
      this.button.textContent = "End and keep";
      return live;
    });
    this.app.try(this.watched(task));
  }

  private async watched(task: Promise<Live<A, S> | null>): Promise<void> {
    let motions: string[] = [];
    try {
      const live = await task;
      this.button.disabled = false;
      motions = live ? await live.over : [];
    } finally {
      this.live = null;
      this.button.disabled = false;
      this.button.textContent = this.word;
      this.plays.rested();
    }
    if (motions.length > 0) await this.app.present(motions);
  }
}
