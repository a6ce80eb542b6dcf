// Tween: motion between two poses of takes, in the style of the corpus.
import type { GraphPath } from "../api.ts";
import type { App } from "../app.ts";
import { button, checkbox, chooser, fill, h, slider } from "../dom.ts";

type End = "from" | "to";
const LABELS: Record<End, string> = { from: "From", to: "To" };

interface Picked {
  take: string;
  frame: number;
  rateHz: number;
}

export class Tween {
  readonly element: HTMLElement;
  private readonly app: App;
  private readonly ends: Record<End, Picked | null> = { from: null, to: null };
  private readonly cards: Record<End, HTMLElement> = { from: h("figure", { class: "posture" }), to: h("figure", { class: "posture" }) };
  private readonly go: HTMLButtonElement;
  private readonly graphPath = h("div", { class: "graph-path", hidden: true });
  private readonly needle = h("i", { class: "now" });
  private readonly settings = { network: "learned", effort: 2000, isTimed: false, secs: 1.5 };

  constructor(app: App) {
    this.app = app;
    this.go = button("Generate", "Find the most likely motion from one pose to the other", () => this.run(), { class: "primary", id: "find-path", disabled: true });
    const secs = slider("Duration", "s", { min: 0.2, max: 6, step: 0.1, value: this.settings.secs }, (value) => (this.settings.secs = value));
    secs.hidden = true;
    for (const end of ["from", "to"] as const) this.fillCard(end, null);
    this.element = h(
      "section",
      { class: "panel tween", aria: { label: "Tween" } },
      h("h2", {}, "Motion between two poses"),
      h("p", { class: "dim" }, "Show a take, go to a frame and pick its pose. The search uses the joint movements of the corpus."),
      h("div", { class: "postures" }, this.cards.from, this.cards.to),
      h("label", { class: "row" }, h("span", {}, "Joints"), chooser("Dependence between joints", [["learned", "learned dependence"], ["body", "along the body"], ["none", "independent"]], (value) => (this.settings.network = value))),
      slider("Search effort", "poses", { min: 100, max: 5000, step: 100, value: this.settings.effort }, (value) => (this.settings.effort = value)),
      checkbox("Fixed duration", "If this is off, the most likely duration is used", false, (on) => {
        this.settings.isTimed = on;
        secs.hidden = !on;
      }),
      secs,
      this.go,
      this.graphPath,
    );
    app.on("shown", () => this.show());
    app.clock.onChange(() => this.move());
  }

  /** Picks the current pose of the first character of the active take. */
  pick(end: End): void {
    const { lead, clock, stage, notices } = this.app;
    if (!lead?.about.id.startsWith("t")) {
      const hint = "Show a take of the library, or add this result to the corpus first.";
      return notices.warn({ code: "page/no-take", message: "Poses can only be picked from takes.", hint, place: {} });
    }
    const { rateHz, frames } = lead.motion;
    const frame = Math.min(Math.round(clock.now * rateHz), frames - 1);
    this.ends[end] = { take: lead.about.id, frame, rateHz };
    this.go.disabled = !this.ends.from || !this.ends.to;
    this.app.try(stage.picture(260, 195).then((picture) => this.fillCard(end, { name: lead.about.name, frame, picture })));
  }

  private fillCard(end: End, picked: { name: string; frame: number; picture: Blob } | null): void {
    const card = this.cards[end];
    const old = card.querySelector("img")?.src;
    if (old) URL.revokeObjectURL(old);
    const key = end === "from" ? "[" : "]";
    fill(
      card,
      h("figcaption", {}, h("b", {}, LABELS[end]), picked ? ` ${picked.name} @ ${picked.frame}` : ""),
      picked ? h("img", { src: URL.createObjectURL(picked.picture), alt: `Frame ${picked.frame} of ${picked.name}` }) : h("div", { class: "empty dim" }, "no pose picked"),
      button("Pick current pose", `Pick the current pose (${key})`, () => this.pick(end), { aria: { label: `Pick current pose as ${LABELS[end].toLowerCase()}` } }),
    );
  }

  private run(): void {
    const { from, to } = this.ends;
    if (!from || !to) return;
    const { network, effort, isTimed, secs } = this.settings;
    const end = ({ take, frame }: Picked) => ({ take, frame });
    const frames = isTimed ? Math.max(Math.round(secs * from.rateHz), 2) : null;
    this.app.try(
      this.app.make("Searching", "/api/panels/tween", { from: end(from), to: end(to), frames, network, max_expansions: effort }).then(async (motions) => {
        if (motions.length > 0) await this.app.present(motions);
      }),
    );
  }

  /** Shows the path of the result through the graphs of all joints; less likely steps are brighter. */
  private show(): void {
    const path = this.app.lead?.about.overlay?.path;
    this.graphPath.hidden = !path;
    if (!path) return;
    const moving = path.joints.filter(({ states }) => new Set(states).size > 1);
    const most = Math.max(...moving.flatMap(({ costs }) => costs.map((cost) => cost ?? 0)), 1e-6);
    const stillCount = path.joints.length - moving.length;
    fill(
      this.graphPath,
      h("h3", {}, "Path through the joint graphs"),
      h("p", { class: "dim" }, `One row per moving joint, one column per step of ${Math.round(1000 * path.step_secs)} ms. Brighter steps are less likely.${stillCount > 0 ? ` ${stillCount} ${stillCount === 1 ? "joint does" : "joints do"} not move.` : ""}`),
      h("div", { class: "grid" }, ...moving.map((joint) => this.row(joint, most)), this.needle),
    );
    this.move();
  }

  private row({ joint, orientations, states, costs }: GraphPath["joints"][number], most: number): HTMLElement {
    const cells = costs.map((cost, step) => {
      const [a, b] = [states[step], states[step + 1]];
      const cell = h("i", { class: a === b ? "stays" : "", title: `${joint}: orientation ${a} to ${b} of ${orientations}, ${cost === null ? "never seen" : `${cost.toFixed(1)} nats`}` });
      cell.style.setProperty("--heat", String(Math.round((100 * (cost ?? most)) / most)));
      return cell;
    });
    return h("div", { class: "joint" }, h("span", {}, joint), h("div", { class: "steps" }, ...cells));
  }

  private move(): void {
    const { clock } = this.app;
    this.needle.style.setProperty("--at", String(clock.secs > 0 ? clock.now / clock.secs : 0));
  }
}
