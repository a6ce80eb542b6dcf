// The timeline of the active motion.
import { type Marks, postJson } from "../api.ts";
import type { App } from "../app.ts";
import { button, fill, h } from "../dom.ts";
import type { Edits } from "../edits.ts";
import { contacts } from "./contacts.ts";
import { marks } from "./marks.ts";
import { type Why, plan } from "./plan.ts";
import { percent, rateOf, secsAt } from "./scale.ts";
import { transport } from "./transport.ts";

const MAX_ZOOM = 40;

export class Timeline {
  readonly element: HTMLElement;
  private readonly app: App;
  private readonly edits: Edits;
  private readonly why: Why;
  private readonly ruler = h("div", { class: "ruler", role: "slider", tabindex: 0, aria: { label: "Time" } });
  private readonly rows = h("div", { class: "rows" });
  private readonly needle = h("div", { class: "needle" });
  private readonly loop = h("div", { class: "loop" });
  private readonly inner = h("div", { class: "inner" }, this.ruler, this.loop, this.rows, this.needle);
  private readonly scroller = h("div", { class: "scroller" }, this.inner);
  private readonly undo: HTMLButtonElement;
  private readonly redo: HTMLButtonElement;
  private zoom = 1;

  constructor(app: App, edits: Edits, why: Why) {
    this.app = app;
    this.edits = edits;
    this.why = why;
    this.undo = button("↶", "Undo (Ctrl + Z)", () => edits.undo(), { aria: { label: "Undo" } });
    this.redo = button("↷", "Redo (Ctrl + Shift + Z)", () => edits.redo(), { aria: { label: "Redo" } });
    const tools = h(
      "div",
      { class: "tools", role: "toolbar", aria: { label: "Marks" } },
      button("+ tag", "Tag the loop, or one second from here (T)", () => this.addTag()),
      button("+ segment", "Add a segment over the loop, or one second from here (G)", () => this.addSegment()),
      this.segmentMenu(),
      this.undo,
      this.redo,
      button("−", "Zoom out", () => this.setZoom(this.zoom / 1.6), { aria: { label: "Zoom out" } }),
      button("+", "Zoom in", () => this.setZoom(this.zoom * 1.6), { aria: { label: "Zoom in" } }),
    );
    this.element = h("section", { class: "timeline", aria: { label: "Timeline" } }, h("div", { class: "bar" }, transport(app), tools), this.scroller);
    this.scrub(this.ruler);
    this.scrub(this.rows);
    this.scroller.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const at = secsAt(app, this.inner, event) / Math.max(app.clock.secs, 1e-6);
      this.setZoom(this.zoom * (event.deltaY < 0 ? 1.25 : 0.8), at, event.clientX);
    });
    app.on("shown", () => this.build());
    app.on("marks", () => this.build());
    app.clock.onChange(() => this.move());
    this.build();
  }

  /** Segments the whole take by a method; the user's own segments stay. */
  private segmentMenu(): HTMLSelectElement {
    const methods: [string, string][] = [["", "segment by…"], ["steps", "steps"], ["instants", "settled feet"], ["beats", "beats"]];
    const select = h("select", { title: "Segment the whole take by a method", aria: { label: "Segment by" } }, ...methods.map(([value, label]) => h("option", { value }, label)));
    select.addEventListener("change", () => {
      const { lead } = this.app;
      const by = select.value;
      select.value = "";
      if (!lead || by === "") return;
      const task = postJson<{ marks: Marks }>(`/api/takes/${lead.about.id}/segments`, { by }).then(({ marks: found }) => {
        lead.about.marks = found;
        this.app.notify("marks");
      });
      this.app.try(task);
    });
    return select;
  }

  addTag(): void {
    const at = this.span();
    if (at) this.edits.putTag(at.lead, { name: "tag", start: at.start, end: at.end });
  }

  addSegment(): void {
    const at = this.span();
    if (at) this.edits.putSegment(at.lead, { name: "segment", start: at.start, end: at.end, actor: at.lead.motion.actors.length > 1 ? null : 0 });
  }

  /** The loop, or one second from the current time, in frames of the take. */
  private span() {
    const { lead, clock } = this.app;
    if (!lead?.about.id.startsWith("t")) return null;
    const { rateHz, frames } = lead.motion;
    const [from, to] = clock.loop ?? [clock.now, clock.now + 1];
    const start = Math.min(Math.round(from * rateHz), frames - 1);
    return { lead, start, end: Math.min(Math.max(Math.round(to * rateHz), start + 1), frames) };
  }

  private setZoom(zoom: number, at = this.app.clock.now / Math.max(this.app.clock.secs, 1e-6), clientX?: number): void {
    this.zoom = Math.min(Math.max(zoom, 1), MAX_ZOOM);
    this.inner.style.width = `${100 * this.zoom}%`;
    const { left, width } = this.scroller.getBoundingClientRect();
    this.scroller.scrollLeft = at * this.inner.clientWidth - (clientX === undefined ? width / 2 : clientX - left);
    this.build();
  }

  private scrub(track: HTMLElement): void {
    track.addEventListener("pointerdown", (event) => {
      // Buttons and marks handle their own clicks.
      if (event.button !== 0 || (event.target as Element).closest("button, .mark, input")) return;
      const seek = (now: PointerEvent) => this.app.clock.seek(secsAt(this.app, this.inner, now));
      if (this.app.clock.isRunning) this.app.clock.toggle();
      seek(event);
      track.setPointerCapture(event.pointerId);
      track.addEventListener("pointermove", seek);
      const stop = () => track.removeEventListener("pointermove", seek);
      track.addEventListener("pointerup", stop, { once: true });
      track.addEventListener("pointercancel", stop, { once: true });
    });
  }

  private build(): void {
    const { lead } = this.app;
    const focused = document.activeElement instanceof HTMLElement && this.rows.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
    const feet = lead?.motion.actors.map((actor) => contacts(this.app, actor)) ?? [];
    fill(this.rows, ...plan(this.app, this.why), ...feet, ...marks(this.app, this.edits));
    // The focus stays where it was.
    if (focused) {
      const kind = focused.split(",")[0]!;
      const again = [...this.rows.querySelectorAll<HTMLElement>("[aria-label]")].find((one) => one.getAttribute("aria-label")!.split(",")[0] === kind);
      again?.focus();
    }
    const editable = lead?.about.id.startsWith("t") ?? false;
    this.element.classList.toggle("fixed", !editable);
    this.undo.disabled = !this.edits.canUndo;
    this.redo.disabled = !this.edits.canRedo;
    this.undo.title = this.edits.last ? `Undo: ${this.edits.last} (Ctrl + Z)` : "Undo (Ctrl + Z)";
    this.labelRuler();
    this.move();
  }

  /** Labels the ruler, as densely as there is room for. */
  private labelRuler(): void {
    const { secs } = this.app.clock;
    const room = Math.max(this.inner.clientWidth / 70, 2);
    const every = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 1200].find((step) => secs / step <= room) ?? 3600;
    const ticks: HTMLElement[] = [];
    for (let at = 0; at < secs - 1e-6; at += every) {
      const label = every < 1 ? at.toFixed(1) : String(Math.round(at));
      const one = h("span", { class: "tick-mark" }, `${label} s`);
      one.style.left = percent(this.app, at);
      ticks.push(one);
    }
    fill(this.ruler, ...ticks);
  }

  private move(): void {
    const { clock } = this.app;
    this.needle.style.left = percent(this.app, clock.now);
    this.loop.hidden = clock.loop === null;
    if (clock.loop) {
      this.loop.style.left = percent(this.app, clock.loop[0]);
      this.loop.style.width = percent(this.app, clock.loop[1] - clock.loop[0]);
    }
    this.ruler.setAttribute("aria-valuemax", clock.secs.toFixed(2));
    this.ruler.setAttribute("aria-valuenow", clock.now.toFixed(2));
    this.ruler.setAttribute("aria-valuetext", `${clock.now.toFixed(2)} seconds, frame ${Math.floor(clock.now * rateOf(this.app))}`);
    if (clock.isRunning && this.zoom > 1) {
      const x = (clock.now / Math.max(clock.secs, 1e-6)) * this.inner.clientWidth;
      const { scrollLeft, clientWidth } = this.scroller;
      if (x < scrollLeft || x > scrollLeft + clientWidth) this.scroller.scrollLeft = x - 0.1 * clientWidth;
    }
  }
}
