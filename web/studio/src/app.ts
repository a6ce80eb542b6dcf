// The state of the page: up to four motions on one stage and one clock, the takes of the corpus, and listeners for changes.
import { type About, type TakeRow, getBytes, getJson, postJson, runJob } from "./api.ts";
import { Characters } from "./characters.ts";
import { Clock } from "./clock.ts";
import { type Motion, decode } from "./motion.ts";
import { Notices } from "./notices.ts";
import type { Stage } from "./stage/stage.ts";

/** Maximum number of motions on the stage. */
export const MAX_SHOWN = 4;
/** Maximum number of motions in memory. */
const MAX_LOADED = 12;

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
  /** Index of the motion that the timeline shows. */
  active = 0;
  takes: TakeRow[] = [];
  readonly characters: Characters;
  private revision = 0;
  private readonly loaded = new Map<string, Promise<Motion>>();
  private readonly listeners: Record<Event, (() => void)[]> = { shown: [], takes: [], marks: [] };

  constructor(stage: Stage) {
    this.stage = stage;
    this.characters = new Characters(this);
  }

  on(event: Event, listener: () => void): void {
    this.listeners[event].push(listener);
  }

  notify(event: Event): void {
    for (const listener of this.listeners[event]) listener();
  }

  get lead(): Shown | undefined {
    return this.shown[this.active];
  }

  /** Shows motions instead of the present ones, or beside them. */
  async show(ids: string[], beside = false): Promise<void> {
    const added = await Promise.all(ids.filter((id) => !beside || !this.shown.some(({ about }) => about.id === id)).map((id) => this.load(id)));
    const kept = beside ? this.shown : [];
    this.shown = [...kept, ...added].slice(-MAX_SHOWN);
    this.active = beside ? this.shown.length - 1 : 0;
    this.restage(!beside);
  }

  /** Shows a motion that a live session moves, instead of all others. */
  showLive(motion: Motion): void {
    this.shown = [];
    this.active = 0;
    if (this.clock.isRunning) this.clock.toggle();
    this.restage(false);
    this.stage.put([motion]);
    this.stage.set(0);
    this.stage.frame();
  }

  /** Removes a motion from the stage. */
  hide(index: number): void {
    this.shown = this.shown.filter((_, at) => at !== index);
    this.active = Math.min(this.active, Math.max(this.shown.length - 1, 0));
    this.restage(false);
  }

  /** Loads the motions on the stage again, on another character. */
  async reload(): Promise<void> {
    this.shown = await Promise.all(this.shown.map(({ about }) => this.load(about.id)));
    this.restage(false);
  }

  /** Selects the motion that the timeline shows. */
  choose(index: number): void {
    this.active = index;
    this.notify("shown");
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
    this.notify("shown");
  }

  private async load(id: string): Promise<Shown> {
    const query = this.characters.query();
    const [about, motion] = await Promise.all([getJson<About>(`/api/motions/${id}${query}`), this.poses(id)]);
    return { about, motion };
  }

  /** Poses, loaded once. An imported file may have other poses under the same id after it is read again. */
  private poses(id: string): Promise<Motion> {
    const query = this.characters.query();
    const key = id.startsWith("i") ? `${id} ${Date.now()}` : `${id}${query}`;
    let found = this.loaded.get(key);
    if (!found) {
      found = getBytes(`/api/motions/${id}/poses${query}`).then((bytes) => this.characters.dress(decode(bytes)));
      found.catch(() => this.loaded.delete(key));
      this.loaded.set(key, found);
      const [oldest] = this.loaded.keys();
      if (this.loaded.size > MAX_LOADED && oldest !== undefined) this.loaded.delete(oldest);
    }
    return found;
  }

  /** Reads the list of takes. */
  async refresh(): Promise<void> {
    const { revision, takes } = await getJson<{ revision: number; takes: TakeRow[] }>("/api/takes");
    this.revision = revision;
    this.takes = takes;
    await this.characters.refresh();
    this.notify("takes");
  }

  /** Waits for changes of the corpus by any window, for ever. */
  async watch(): Promise<never> {
    let pauseMs = 500;
    for (;;) {
      try {
        const { revision } = await getJson<{ revision: number }>(`/api/changes/${this.revision}`);
        if (revision !== this.revision) await this.refresh();
        pauseMs = 500;
      } catch (thrown) {
        if (pauseMs === 500) this.notices.error(thrown);
        pauseMs = Math.min(2 * pauseMs, 10_000);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  /** Runs a job and shows its progress; returns its motions, none if it failed or was cancelled. */
  async make(name: string, path: string, message: unknown): Promise<string[]> {
    const target = path + this.characters.query();
    return (await this.notices.work(name, (progress, cancelled) => runJob(target, message, progress, cancelled))) ?? [];
  }

  /** Shows a result, plays it from its start, and shows its warnings. */
  async present(motions: string[], beside: string[] = []): Promise<void> {
    await this.show([...motions, ...beside]);
    if (!this.clock.isRunning) this.clock.toggle();
    this.notices.setWarnings(this.lead?.about.warnings ?? []);
  }

  /** Adds a result to the corpus under a name; returns the id of the take. */
  async keep(motion: string, name: string): Promise<string> {
    const { id, already } = await postJson<{ id: string; already: boolean }>(`/api/results/${motion.slice(1)}/keep`, { name });
    this.notices.good(already ? `${name} is already in the corpus` : `${name} was added to the corpus`);
    return id;
  }

  /** Runs a task, and shows its error if it fails. */
  try(task: Promise<unknown>): void {
    task.catch((thrown: unknown) => this.notices.error(thrown));
  }
}
