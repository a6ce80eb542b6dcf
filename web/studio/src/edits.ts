// Edits of tags and segments. The server stores each edit before the page shows it; each can be undone.
import { type Marks, type Segment, type Tag, postJson } from "./api.ts";
import type { App, Shown } from "./app.ts";

/** An edit in the format of the server. */
interface Edit {
  remove_tags?: { name: string; start: number; end: number }[];
  put_tags?: Tag[];
  remove_segments?: number[];
  put_segments?: Segment[];
}

/** An edit and its inverse. New segments get their ids from the server. */
interface Change {
  take: string;
  label: string;
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

  /** Label of the edit that undo would revert. */
  get last(): string | undefined {
    return this.done.at(-1)?.label;
  }

  putTag(shown: Shown, tag: Omit<Tag, "maker">): void {
    const made = { ...tag, maker: PERSON };
    this.execute({ take: shown.about.id, label: `tag ${tag.name}`, on: { put_tags: [made] }, back: { remove_tags: [bare(made)] } });
  }

  changeTag(shown: Shown, old: Tag, tag: Tag, label: string): void {
    const made = { ...tag, maker: PERSON };
    const on = { remove_tags: [bare(old)], put_tags: [made] };
    this.execute({ take: shown.about.id, label, on, back: { remove_tags: [bare(made)], put_tags: [old] } });
  }

  removeTag(shown: Shown, old: Tag): void {
    this.execute({ take: shown.about.id, label: `delete ${old.name}`, on: { remove_tags: [bare(old)] }, back: { put_tags: [old] } });
  }

  putSegment(shown: Shown, segment: Omit<Segment, "maker" | "id" | "labels">): void {
    const made: Segment = { ...segment, id: null, maker: PERSON, labels: [] };
    this.execute({ take: shown.about.id, label: `segment ${segment.name}`, on: { put_segments: [made] }, back: {} });
  }

  changeSegment(shown: Shown, old: Segment, segment: Segment, label: string): void {
    const made = { ...segment, maker: PERSON, labels: [] };
    this.execute({ take: shown.about.id, label, on: { put_segments: [made] }, back: { put_segments: [old] } });
  }

  removeSegment(shown: Shown, old: Segment): void {
    this.execute({
      take: shown.about.id,
      label: `delete ${old.name}`,
      on: { remove_segments: [old.id!] },
      back: { put_segments: [old] },
    });
  }

  /** Splits a segment at a frame. */
  cutSegment(shown: Shown, old: Segment, frame: number): void {
    if (frame <= old.start || frame >= old.end) return;
    const first = { ...old, end: frame, maker: PERSON, labels: [] };
    const second = { ...old, id: null, start: frame, maker: PERSON, labels: [] };
    this.execute({ take: shown.about.id, label: `split ${old.name}`, on: { put_segments: [first, second] }, back: { put_segments: [old] } });
  }

  /** Splits a tag at a frame. */
  cutTag(shown: Shown, old: Tag, frame: number): void {
    if (frame <= old.start || frame >= old.end) return;
    const first = { ...old, end: frame, maker: PERSON };
    const second = { ...old, start: frame, maker: PERSON };
    const on = { remove_tags: [bare(old)], put_tags: [first, second] };
    this.execute({ take: shown.about.id, label: `split ${old.name}`, on, back: { remove_tags: [bare(first), bare(second)], put_tags: [old] } });
  }

  undo(): void {
    this.enqueue(async () => {
      const change = this.done.pop();
      if (!change) return;
      await this.send(change.take, change.back);
      this.undone.push(change);
      this.app.notices.good(`Undone: ${change.label}`);
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

  private execute(change: Change): void {
    this.enqueue(async () => {
      await this.apply(change);
      this.done.push(change);
      this.undone = [];
    });
  }

  /** Runs edits one after another. */
  private enqueue(task: () => Promise<void>): void {
    this.queue = this.queue.then(task).catch((thrown: unknown) => this.app.notices.error(thrown)).finally(() => this.app.notify("marks"));
  }

  private async apply(change: Change): Promise<void> {
    const { put } = await this.send(change.take, change.on);
    // A new segment now has an id: redo refers to it, and undo removes it.
    change.on.put_segments?.forEach((segment, index) => {
      if (segment.id !== null) return;
      segment.id = put[index]!;
      change.back.remove_segments = [...(change.back.remove_segments ?? []), put[index]!];
    });
  }

  private async send(take: string, edit: Edit): Promise<Done> {
    const done = await postJson<Done>(`/api/takes/${take}/edits`, edit);
    for (const { about } of this.app.shown) if (about.id === take) about.marks = done.marks;
    return done;
  }
}
