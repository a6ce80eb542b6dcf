// Tags and segments on the timeline: moved, split, renamed and deleted by mouse, touch and keyboard.
import type { Segment, Tag } from "../api.ts";
import type { App, Shown } from "../app.ts";
import { fill, h } from "../dom.ts";
import type { Edits } from "../edits.ts";
import { colourOfName } from "../stage/colours.ts";
import { frameAt, setSpan } from "./scale.ts";

/** Width of the draggable ends, in pixels. */
const HANDLE_PX = 7;

/** A tag or a segment, and its edits. */
interface Mark {
  kind: "tag" | "segment";
  value: Tag | Segment;
  change(value: Tag | Segment, label: string): void;
  remove(): void;
  cut(frame: number): void;
}

function tagMark(edits: Edits, shown: Shown, value: Tag): Mark {
  return {
    kind: "tag",
    value,
    change: (next, label) => edits.changeTag(shown, value, next, label),
    remove: () => edits.removeTag(shown, value),
    cut: (frame) => edits.cutTag(shown, value, frame),
  };
}

function segmentMark(edits: Edits, shown: Shown, value: Segment): Mark {
  return {
    kind: "segment",
    value,
    change: (next, label) => edits.changeSegment(shown, value, next as Segment, label),
    remove: () => edits.removeSegment(shown, value),
    cut: (frame) => edits.cutSegment(shown, value, frame),
  };
}

/** Tracks of the active motion's tags and segments. */
export function marks(app: App, edits: Edits): HTMLElement[] {
  const lead = app.lead;
  if (!lead?.about.id.startsWith("t")) return [];
  const { tags, segments } = lead.about.marks;
  const rows: HTMLElement[] = [];
  rows.push(track(app, "tags", tags.map((tag) => tagMark(edits, lead, tag))));
  const owners = [...new Set(segments.map(({ actor }) => actor))].sort((a, b) => (a ?? -1) - (b ?? -1));
  for (const actor of owners) {
    const own = segments.filter((segment) => segment.actor === actor);
    const name = actor === null || lead.motion.actors.length === 1 ? "segments" : `${lead.motion.actors[actor]?.name} segments`;
    rows.push(track(app, name, own.map((segment) => segmentMark(edits, lead, segment))));
  }
  return rows;
}

function track(app: App, name: string, all: Mark[]): HTMLElement {
  const element = h("div", { class: "track marks", data: { name } });
  // Overlapping marks are placed in separate lanes.
  const ends: number[] = [];
  for (const mark of [...all].sort((a, b) => a.value.start - b.value.start || b.value.end - a.value.end)) {
    const free = ends.findIndex((end) => end <= mark.value.start);
    const lane = free >= 0 ? free : ends.length;
    ends[lane] = mark.value.end;
    element.append(block(app, element, mark, lane));
  }
  element.style.setProperty("--lanes", String(Math.max(ends.length, 1)));
  return element;
}

function block(app: App, row: HTMLElement, mark: Mark, lane: number): HTMLElement {
  const { value, kind } = mark;
  const frames = app.lead!.motion.frames;
  const by = value.maker === "person" ? "by you" : `by ${value.maker}`;
  const element = h(
    "div",
    {
      class: `mark ${kind}`,
      role: "button",
      tabindex: 0,
      title: `${value.name}, frames ${value.start} to ${value.end}, ${by}. Drag it or its ends; F2 renames, Delete deletes, X splits at the playhead.`,
      aria: { label: `${kind} ${value.name}, frames ${value.start} to ${value.end}` },
      data: { name: value.name },
    },
    h("span", {}, value.name),
  );
  element.style.setProperty("--mark", colourOfName(value.name));
  element.style.setProperty("--lane", String(lane));
  setSpan(app, element, value.start, value.end);
  const changed = (start: number, end: number, label: string) => {
    if (start !== value.start || end !== value.end) mark.change({ ...value, start, end }, label);
  };
  drag(app, row, element, value, changed);
  element.addEventListener("dblclick", () => rename(element, mark));
  element.addEventListener("keydown", (event) => {
    if (event.target !== element) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Delete" || event.key === "Backspace") mark.remove();
    else if (event.key === "F2" || event.key === "Enter") rename(element, mark);
    else if (event.key === "x") mark.cut(Math.round(app.clock.now * app.lead!.motion.rateHz));
    else if (step !== undefined && event.shiftKey) changed(value.start, within(value.end + step, value.start + 1, frames), "move end");
    else if (step !== undefined) {
      const start = within(value.start + step, 0, frames - (value.end - value.start));
      changed(start, start + value.end - value.start, "move");
    } else return;
    event.preventDefault();
  });
  return element;
}

const within = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

function drag(
  app: App,
  row: HTMLElement,
  element: HTMLElement,
  value: Tag,
  changed: (start: number, end: number, label: string) => void,
): void {
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const { left, right } = element.getBoundingClientRect();
    const wide = right - left > 3 * HANDLE_PX;
    const part = wide && event.clientX - left < HANDLE_PX ? "start" : wide && right - event.clientX < HANDLE_PX ? "end" : "all";
    const from = frameAt(app, row, event);
    const frames = app.lead!.motion.frames;
    let [start, end] = [value.start, value.end];
    const move = (now: PointerEvent) => {
      const by = frameAt(app, row, now) - from;
      if (part === "start") start = within(value.start + by, 0, value.end - 1);
      else if (part === "end") end = within(value.end + by, value.start + 1, frames);
      else {
        start = within(value.start + by, 0, frames - (value.end - value.start));
        end = start + value.end - value.start;
      }
      setSpan(app, element, start, end);
      element.classList.add("dragged");
    };
    const stop = () => {
      element.removeEventListener("pointermove", move);
      element.classList.remove("dragged");
      changed(start, end, part === "all" ? `move ${value.name}` : `move ${part} of ${value.name}`);
    };
    element.setPointerCapture(event.pointerId);
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", stop, { once: true });
    element.addEventListener("pointercancel", stop, { once: true });
    event.stopPropagation();
  });
}

function rename(element: HTMLElement, mark: Mark): void {
  const input = h("input", { type: "text", value: mark.value.name, class: "rename", aria: { label: "Name" } });
  let isOver = false;
  const end = (keep: boolean) => {
    if (isOver) return;
    isOver = true;
    const name = input.value.trim();
    fill(element, h("span", {}, mark.value.name));
    element.focus();
    if (keep && name !== "" && name !== mark.value.name) mark.change({ ...mark.value, name }, `rename ${mark.value.name}`);
  };
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter") end(true);
    if (event.key === "Escape") end(false);
  });
  input.addEventListener("pointerdown", (event) => event.stopPropagation());
  input.addEventListener("blur", () => end(true));
  fill(element, input);
  input.focus();
  input.select();
}
