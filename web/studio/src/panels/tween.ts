// Tween: motion through a row of poses of takes.
import type { App } from "../app.ts";
import { button, checkbox, chooser, fill, h, slider } from "../dom.ts";
import type { Place } from "../stage/place_marks.ts";
import { GraphPathView } from "./graph_path.ts";

/** Time from one pose to the next until the user sets another, in seconds. */
const USUAL_SECS = 1;
/** A drag on the floor shorter than this sets no heading, in metres. */
const MIN_DRAG_M = 0.1;

interface Picked {
  take: string;
  name: string;
  frame: number;
  picture: string;
  /** Seconds from the previous pose; that of the first is for the way back in a loop. */
  secs: number;
  place: Place | null;
}

export class Tween {
  readonly element: HTMLElement;
  private readonly app: App;
  private poses: Picked[] = [];
  private readonly row = h("ol", { class: "postures", aria: { label: "Poses" } });
  private readonly go: HTMLButtonElement;
  private readonly settings = { mode: "near", network: "learned", effort: 2000, isTimed: false, closes: false, withTakes: false };
  /** The index of the pose whose place the next drag on the floor sets. */
  private placing: number | null = null;

  constructor(app: App) {
    this.app = app;
    this.go = button("Generate", "Make motion through the poses", () => this.run(), { class: "primary", id: "find-path", disabled: true });
    const style = h(
      "div",
      { class: "stack", hidden: true },
      h("label", { class: "row" }, h("span", {}, "Joints"), chooser("Dependence between joints", [["learned", "learned dependence"], ["body", "along the body"], ["none", "independent"]], (value) => (this.settings.network = value))),
      slider("Search effort", "poses", { min: 100, max: 5000, step: 100, value: this.settings.effort }, (value) => (this.settings.effort = value)),
    );
    const modes = chooser("Mode", [["near", "near what people do"], ["style", "the likeliest path in the style"]], (value) => {
      this.settings.mode = value;
      style.hidden = value !== "style";
    });
    this.element = h(
      "section",
      { class: "panel tween", aria: { label: "Tween" } },
      h("h2", {}, "Motion through poses"),
      h("p", { class: "dim" }, "Show a take, go to a frame and add its pose. The motion goes through all poses in their order, as people of the corpus move."),
      this.row,
      button("Add current pose", "Add the current pose at the end of the row (])", () => this.add(), { id: "add-pose" }),
      h("label", { class: "row" }, h("span", {}, "Mode"), modes),
      style,
      checkbox("Set times", "If this is off, each change takes as long as people take for it", false, (on) => {
        this.settings.isTimed = on;
        this.build();
      }),
      checkbox("Loop", "Return to the first pose, so that the motion can be repeated", false, (on) => {
        this.settings.closes = on;
        this.build();
      }),
      checkbox("With the takes around", "Start with the take before the first pose, and go on with the take after the last", false, (on) => (this.settings.withTakes = on)),
      this.go,
      new GraphPathView(app).element,
    );
    this.build();
    this.listen();
  }

  /** Starts a new row with the current pose. */
  start(): void {
    for (const { picture } of this.poses) URL.revokeObjectURL(picture);
    this.poses = [];
    this.build();
    this.add();
  }

  /** Adds the current pose of the first character of the active take at the end of the row. */
  add(): void {
    const { lead, clock, stage, notices } = this.app;
    if (!lead?.about.id.startsWith("t")) {
      const hint = "Show a take of the library, or add this result to the corpus first.";
      return notices.warn({ code: "page/no-take", message: "Poses can only be picked from takes.", hint, place: {} });
    }
    const { rateHz, frames } = lead.motion;
    const frame = Math.min(Math.round(clock.now * rateHz), frames - 1);
    const { id: take, name } = lead.about;
    this.app.try(
      stage.picture(260, 195).then((picture) => {
        this.poses.push({ take, name, frame, picture: URL.createObjectURL(picture), secs: USUAL_SECS, place: null });
        this.build();
      }),
    );
  }

  /** Stops waiting for a place. */
  stopPlacing(): void {
    this.place(null);
  }

  /** Stops waiting for a place, and hides the places. */
  leave(): void {
    this.stopPlacing();
    this.app.stage.placeMarks.set([]);
    this.app.stage.wake();
  }

  /** Shows the places. */
  enter(): void {
    this.mark();
  }

  private build(): void {
    fill(this.row, ...this.poses.map((pose, index) => this.card(pose, index)));
    this.go.disabled = this.poses.length < 2;
    this.mark();
  }

  private mark(): void {
    this.app.stage.placeMarks.set(this.poses.map(({ place }) => place));
    this.app.stage.wake();
  }

  private card(pose: Picked, index: number): HTMLElement {
    const number = index + 1;
    const title = `${pose.name} @ ${pose.frame}`;
    const moveTo = (to: number) => {
      this.poses.splice(to, 0, ...this.poses.splice(index, 1));
      this.place(null);
      this.build();
      this.row.children[to]?.querySelector("button")?.focus();
    };
    const isTimed = this.settings.isTimed && (index > 0 || this.settings.closes);
    return h(
      "li",
      { class: "posture", aria: { label: `Pose ${number}: ${title}` } },
      h("header", {}, h("b", {}, String(number)), h("span", { title }, title)),
      h("img", { src: pose.picture, alt: `Frame ${pose.frame} of ${pose.name}` }),
      isTimed && this.time(pose, index),
      h(
        "div",
        { class: "row" },
        button("←", "Move the pose to the left", () => moveTo(index - 1), { disabled: index === 0, aria: { label: `Move pose ${number} left` } }),
        button("→", "Move the pose to the right", () => moveTo(index + 1), { disabled: number === this.poses.length, aria: { label: `Move pose ${number} right` } }),
        this.placeButton(pose, index),
        button("×", "Remove the pose from the row", () => this.remove(index), { aria: { label: `Remove pose ${number}` } }),
      ),
    );
  }

  private time(pose: Picked, index: number): HTMLElement {
    const label = index === 0 ? "Seconds back to the first pose" : `Seconds from pose ${index} to pose ${index + 1}`;
    const input = h("input", { type: "number", min: "0.1", max: "60", step: "0.1", value: String(pose.secs), aria: { label } });
    input.addEventListener("change", () => {
      pose.secs = Math.min(Math.max(Number(input.value) || USUAL_SECS, 0.1), 60);
      input.value = String(pose.secs);
    });
    return h("label", { class: "row", title: label }, index === 0 ? "back in" : "after", input, "s");
  }

  private placeButton(pose: Picked, index: number): HTMLButtonElement {
    const number = index + 1;
    const isPlacing = this.placing === index;
    if (pose.place && !isPlacing) {
      const [x, z, degrees] = pose.place;
      const where = `${x.toFixed(2)} m, ${z.toFixed(2)} m, ${Math.round(degrees)}°`;
      return button("placed", `${where}. Click to let the steps decide again`, () => {
        pose.place = null;
        this.build();
      }, { aria: { label: `Free pose ${number}` } });
    }
    const title = index === 0 ? "Click on the floor where the motion starts; drag to set the heading" : "Click on the floor where the pose is; drag to set the heading";
    return button(isPlacing ? "on the floor…" : "place", title, () => this.place(isPlacing ? null : index), { aria: { label: `Place pose ${number}`, pressed: String(isPlacing) } });
  }

  private remove(index: number): void {
    for (const { picture } of this.poses.splice(index, 1)) URL.revokeObjectURL(picture);
    this.place(null);
    this.build();
  }

  /** Starts or stops waiting for a drag on the floor. */
  private place(index: number | null): void {
    if (this.placing === index) return;
    this.placing = index;
    const { stage } = this.app;
    stage.hasControls = index === null;
    stage.canvas.classList.toggle("drawing", index !== null);
    if (index !== null) {
      stage.isSplit = false;
      stage.viewFromAbove();
    }
    stage.wake();
    this.build();
  }

  private listen(): void {
    const { stage } = this.app;
    stage.canvas.addEventListener("pointerdown", (event) => {
      const pose = this.placing === null ? null : this.poses[this.placing];
      const start = stage.floorAt(event);
      if (!pose || !start || event.button !== 0) return;
      stage.canvas.setPointerCapture(event.pointerId);
      pose.place = [start.x, start.z, 0];
      this.mark();
      const end = new AbortController();
      const turn = (now: PointerEvent) => {
        const to = stage.floorAt(now);
        if (!to || Math.hypot(to.x - start.x, to.z - start.z) < MIN_DRAG_M) return;
        pose.place = [start.x, start.z, (Math.atan2(to.x - start.x, to.z - start.z) * 180) / Math.PI];
        this.mark();
      };
      const stop = () => {
        end.abort();
        this.place(null);
      };
      const { signal } = end;
      stage.canvas.addEventListener("pointermove", turn, { signal });
      stage.canvas.addEventListener("pointerup", stop, { signal });
      stage.canvas.addEventListener("pointercancel", stop, { signal });
    });
  }

  private run(): void {
    const { mode, network, effort, isTimed, closes, withTakes } = this.settings;
    const isStyle = mode === "style";
    let at = 0;
    const times = this.poses.map(({ secs }, index) => (at += index === 0 ? 0 : secs));
    if (closes) times.push(at + (this.poses[0]?.secs ?? USUAL_SECS));
    const message = {
      poses: this.poses.map(({ take, frame, place }) => ({ take, frame, place })),
      mode,
      at_secs: isTimed ? times : [],
      closes,
      gap_only: !withTakes,
      ...(isStyle ? { network, max_expansions: effort } : {}),
    };
    this.app.try(
      this.app.make(isStyle ? "Searching" : "Filling the gaps", "/api/panels/tween", message).then(async (motions) => {
        if (motions.length > 0) await this.app.present(motions);
      }),
    );
  }
}
