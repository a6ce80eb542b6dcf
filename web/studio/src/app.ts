// What is open: up to four motions on one stage and one clock, the takes of the corpus, and who is told when that changes.
import { type About, type TakeRow, ask, bytes, send, work } from "./api.ts";
import { Clock } from "./clock.ts";
import { type Motion, decode } from "./motion.ts";
import { Notices } from "./notices.ts";
import type { Stage } from "./stage/stage.ts";

/** How many motions are on the stage at most. */
export const MOST_SHOWN = 4;
/** How many motions are kept beside those that are shown. */
const KEPT = 12;

/** A motion on the stage. */
export interface Shown {
  about: About;
  motion: Motion;
}

type Event = "shown" | "takes" | "marks";

export class App {
  readonly clock = new Clock();
  readonly notices = new Notices();
  readonly stage: Stage;
  shown: Shown[] = [];
  /** Which of them the timeline is about. */
  active = 0;
  takes: TakeRow[] = [];
  private revision = 0;
  private readonly kept = new Map<string, Promise<Motion>>();
  private readonly listeners: Record<Event, (() => void)[]> = { shown: [], takes: [], marks: [] };

  constructor(stage: Stage) {
    this.stage = stage;
  }

  on(event: Event, listener: () => void): void {
    this.listeners[event].push(listener);
  }

  tell(event: Event): void {
    for (const listener of this.listeners[event]) listener();
  }

  get lead(): Shown | undefined {
    return this.shown[this.active];
  }

  /** Puts motions on the stage, instead of those that are there, or beside them. */
  async show(ids: string[], beside = false): Promise<void> {
    const fresh = await Promise.all(ids.filter((id) => !beside || !this.shown.some(({ about }) => about.id === id)).map((id) => this.load(id)));
    const stays = beside ? this.shown : [];
    this.shown = [...stays, ...fresh].slice(-MOST_SHOWN);
    this.active = beside ? this.shown.length - 1 : 0;
    this.restage(!beside);
  }

  /** Puts figures on the stage that somebody else moves, instead of all motions. */
  perform(motion: Motion): void {
    this.shown = [];
    this.active = 0;
    if (this.clock.isRunning) this.clock.toggle();
    this.restage(false);
    this.stage.put([motion]);
    this.stage.set(0);
    this.stage.frame();
  }

  /** Takes a motion off the stage. */
  hide(index: number): void {
    this.shown = this.shown.filter((_, at) => at !== index);
    this.active = Math.min(this.active, Math.max(this.shown.length - 1, 0));
    this.restage(false);
  }

  /** Chooses which motion the timeline is about. */
  choose(index: number): void {
    this.active = index;
    this.tell("shown");
  }

  private restage(fromStart: boolean): void {
    this.stage.put(this.shown.map(({ motion }) => motion));
    if (fromStart) {
      this.clock.loop = null;
      this.clock.now = 0;
      this.stage.set(0);
      this.stage.frame();
    }
    this.clock.setLength(Math.max(...this.shown.map(({ motion }) => motion.secs), 0));
    this.tell("shown");
  }

  private async load(id: string): Promise<Shown> {
    const [about, motion] = await Promise.all([ask<About>(`/api/motions/${id}`), this.poses(id)]);
    return { about, motion };
  }

  /** Poses, asked for once. Files that were read again have other poses under the same name. */
  private poses(id: string): Promise<Motion> {
    const key = id.startsWith("i") ? `${id} ${Date.now()}` : id;
    let found = this.kept.get(key);
    if (!found) {
      found = bytes(`/api/motions/${id}/poses`).then(decode);
      found.catch(() => this.kept.delete(key));
      this.kept.set(key, found);
      const [oldest] = this.kept.keys();
      if (this.kept.size > KEPT && oldest !== undefined) this.kept.delete(oldest);
    }
    return found;
  }

  /** Reads the list of takes. */
  async refresh(): Promise<void> {
    const { revision, takes } = await ask<{ revision: number; takes: TakeRow[] }>("/api/takes");
    this.revision = revision;
    this.takes = takes;
    this.tell("takes");
  }

  /** Waits for changes of the corpus, by this window or any other, for ever. */
  async watch(): Promise<never> {
    let patience = 500;
    for (;;) {
      try {
        const { revision } = await ask<{ revision: number }>(`/api/news/${this.revision}`);
        if (revision !== this.revision) await this.refresh();
        patience = 500;
      } catch (thrown) {
        if (patience === 500) this.notices.fault(thrown);
        patience = Math.min(2 * patience, 10_000);
      }
      await new Promise((resolve) => setTimeout(resolve, patience));
    }
  }

  /** Has an engine work, with its progress shown; the motions that came of it, none where it failed or was cancelled. */
  async make(name: string, path: string, wish: unknown): Promise<string[]> {
    return (await this.notices.work(name, (progress, cancelled) => work(path, wish, progress, cancelled))) ?? [];
  }

  /** Puts a result on the stage, plays it from its start, and says what was found on the way. */
  async present(motions: string[], beside: string[] = []): Promise<void> {
    await this.show([...motions, ...beside]);
    if (!this.clock.isRunning) this.clock.toggle();
    this.notices.warnOf(this.lead?.about.warnings ?? []);
  }

  /** Keeps a result in the corpus under a name; the take. */
  async keep(motion: string, name: string): Promise<string> {
    const { id, already } = await send<{ id: string; already: boolean }>(`/api/made/${motion.slice(1)}/keep`, { name });
    this.notices.good(already ? `${name} is in the corpus already` : `${name} is kept in the corpus`);
    return id;
  }

  /** Runs something that may fail, and says so where it does. */
  try(task: Promise<unknown>): void {
    task.catch((thrown: unknown) => this.notices.fault(thrown));
  }
}
