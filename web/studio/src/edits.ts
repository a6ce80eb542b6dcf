// Edits of tags and segments: each is in the corpus when it is seen, and can be taken back.
import { type Marks, type Segment, type Tag, send } from "./api.ts";
import type { App, Shown } from "./app.ts";

/** A change, as the server takes it. */
interface Edit {
  remove_tags?: { name: string; start: number; end: number }[];
  put_tags?: Tag[];
  remove_segments?: number[];
  put_segments?: Segment[];
}

/** A change and what takes it back. New segments get their numbers from the server. */
interface Change {
  take: string;
  said: string;
  on: Edit;
  back: Edit;
}

interface Done {
  put: number[];
  marks: Marks;
}

const PERSON = "person";
const bare = ({ name, start, end }: Tag) => ({ name, start, end });

export class Edits {
  private readonly app: App;
  private done: Change[] = [];
  private undone: Change[] = [];
  private queue: Promise<unknown> = Promise.resolve();

  constructor(app: App) {
    this.app = app;
  }

  get canUndo(): boolean {
    return this.done.length > 0;
  }

  get canRedo(): boolean {
    return this.undone.length > 0;
  }

  /** What undo would take back. */
  get last(): string | undefined {
    return this.done.at(-1)?.said;
  }

  putTag(shown: Shown, tag: Omit<Tag, "maker">): void {
    const made = { ...tag, maker: PERSON };
    this.carry({ take: shown.about.id, said: `tag ${tag.name}`, on: { put_tags: [made] }, back: { remove_tags: [bare(made)] } });
  }

  changeTag(shown: Shown, old: Tag, tag: Tag, said: string): void {
    const made = { ...tag, maker: PERSON };
    const on = { remove_tags: [bare(old)], put_tags: [made] };
    this.carry({ take: shown.about.id, said, on, back: { remove_tags: [bare(made)], put_tags: [old] } });
  }

  removeTag(shown: Shown, old: Tag): void {
    this.carry({ take: shown.about.id, said: `delete ${old.name}`, on: { remove_tags: [bare(old)] }, back: { put_tags: [old] } });
  }

  putSegment(shown: Shown, segment: Omit<Segment, "maker" | "id" | "labels">): void {
    const made: Segment = { ...segment, id: null, maker: PERSON, labels: [] };
    this.carry({ take: shown.about.id, said: `segment ${segment.name}`, on: { put_segments: [made] }, back: {} });
  }

  changeSegment(shown: Shown, old: Segment, segment: Segment, said: string): void {
    const made = { ...segment, maker: PERSON, labels: [] };
    this.carry({ take: shown.about.id, said, on: { put_segments: [made] }, back: { put_segments: [old] } });
  }

  removeSegment(shown: Shown, old: Segment): void {
    this.carry({
      take: shown.about.id,
      said: `delete ${old.name}`,
      on: { remove_segments: [old.id!] },
      back: { put_segments: [old] },
    });
  }

  /** Cuts a segment in two at a frame. */
  cutSegment(shown: Shown, old: Segment, frame: number): void {
    if (frame <= old.start || frame >= old.end) return;
    const first = { ...old, end: frame, maker: PERSON, labels: [] };
    const second = { ...old, id: null, start: frame, maker: PERSON, labels: [] };
    this.carry({ take: shown.about.id, said: `cut ${old.name}`, on: { put_segments: [first, second] }, back: { put_segments: [old] } });
  }

  /** Cuts a tag in two at a frame. */
  cutTag(shown: Shown, old: Tag, frame: number): void {
    if (frame <= old.start || frame >= old.end) return;
    const first = { ...old, end: frame, maker: PERSON };
    const second = { ...old, start: frame, maker: PERSON };
    const on = { remove_tags: [bare(old)], put_tags: [first, second] };
    this.carry({ take: shown.about.id, said: `cut ${old.name}`, on, back: { remove_tags: [bare(first), bare(second)], put_tags: [old] } });
  }

  undo(): void {
    this.enqueue(async () => {
      const change = this.done.pop();
      if (!change) return;
      await this.send(change.take, change.back);
      this.undone.push(change);
      this.app.notices.good(`Undone: ${change.said}`);
    });
  }

  redo(): void {
    this.enqueue(async () => {
      const change = this.undone.pop();
      if (!change) return;
      await this.apply(change);
      this.done.push(change);
    });
  }

  private carry(change: Change): void {
    this.enqueue(async () => {
      await this.apply(change);
      this.done.push(change);
      this.undone = [];
    });
  }

  /** One after another, in the order they were asked for. */
  private enqueue(task: () => Promise<void>): void {
    this.queue = this.queue.then(task).catch((thrown: unknown) => this.app.notices.fault(thrown)).finally(() => this.app.tell("marks"));
  }

  private async apply(change: Change): Promise<void> {
    const { put } = await this.send(change.take, change.on);
    // What was new has a number now: doing it again is doing it to the same, and taking it back takes that one out.
    change.on.put_segments?.forEach((segment, index) => {
      if (segment.id !== null) return;
      segment.id = put[index]!;
      change.back.remove_segments = [...(change.back.remove_segments ?? []), put[index]!];
    });
  }

  private async send(take: string, edit: Edit): Promise<Done> {
    const done = await send<Done>(`/api/takes/${take}/edits`, edit);
    for (const { about } of this.app.shown) if (about.id === take) about.marks = done.marks;
    return done;
  }
}
