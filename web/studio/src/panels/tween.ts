// Tween: two postures are picked from any takes, and the way between them in the style of the corpus is found.
import type { GraphWay } from "../api.ts";
import type { App } from "../app.ts";
import { button, chooser, fill, h, slider, tick } from "../dom.ts";

type End = "from" | "to";
const WORDS: Record<End, string> = { from: "From", to: "To" };

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
  private readonly way = h("div", { class: "way", hidden: true });
  private readonly needle = h("i", { class: "now" });
  private readonly wish = { network: "learned", effort: 2000, isTimed: false, secs: 1.5 };

  constructor(app: App) {
    this.app = app;
    this.go = button("Find the way", "Find the likeliest way from the one posture to the other", () => this.run(), { class: "primary", id: "find-way", disabled: true });
    const secs = slider("Lasts", "s", { min: 0.2, max: 6, step: 0.1, value: this.wish.secs }, (value) => (this.wish.secs = value));
    secs.hidden = true;
    for (const end of ["from", "to"] as const) this.fillCard(end, null);
    this.element = h(
      "section",
      { class: "panel tween", aria: { label: "Tween" } },
      h("h2", {}, "A way between postures"),
      h("p", { class: "dim" }, "Show any take, go to a moment of it, and pick the posture. The way is searched among what joints were seen to do."),
      h("div", { class: "postures" }, this.cards.from, this.cards.to),
      h("label", { class: "row" }, h("span", {}, "Joints"), chooser("Which joints depend on which", [["learned", "go together as learned"], ["body", "follow the body"], ["none", "know nothing of each other"]], (value) => (this.wish.network = value))),
      slider("Effort", "postures", { min: 100, max: 5000, step: 100, value: this.wish.effort }, (value) => (this.wish.effort = value)),
      tick("of a given length", "Otherwise as long as the likeliest way is", false, (on) => {
        this.wish.isTimed = on;
        secs.hidden = !on;
      }),
      secs,
      this.go,
      this.way,
    );
    app.on("shown", () => this.show());
    app.clock.onChange(() => this.move());
  }

  /** Picks the posture that is on the stage now, of the first figure of the active take. */
  pick(end: End): void {
    const { lead, clock, stage, notices } = this.app;
    if (!lead?.about.id.startsWith("t")) {
      const hint = "Show a take of the library, or keep this result in the corpus first.";
      return notices.warn({ code: "page/no-take", message: "Postures are picked from takes.", hint, place: {} });
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
      h("figcaption", {}, h("b", {}, WORDS[end]), picked ? ` ${picked.name} @ ${picked.frame}` : ""),
      picked ? h("img", { src: URL.createObjectURL(picked.picture), alt: `Frame ${picked.frame} of ${picked.name}` }) : h("div", { class: "empty dim" }, "nothing picked"),
      button("Pick what is seen", `The posture on the stage now (${key})`, () => this.pick(end), { aria: { label: `Pick what is seen as ${WORDS[end].toLowerCase()}` } }),
    );
  }

  private run(): void {
    const { from, to } = this.ends;
    if (!from || !to) return;
    const { network, effort, isTimed, secs } = this.wish;
    const end = ({ take, frame }: Picked) => ({ take, frame });
    const frames = isTimed ? Math.max(Math.round(secs * from.rateHz), 2) : null;
    this.app.try(
      this.app.make("Finding a way", "/api/panels/tween", { from: end(from), to: end(to), frames, network, max_expansions: effort }).then(async (motions) => {
        if (motions.length > 0) await this.app.present(motions);
      }),
    );
  }

  /** The way of what is on the stage through the graphs of all joints: the more unlikely a step, the brighter. */
  private show(): void {
    const way = this.app.lead?.about.shows?.way;
    this.way.hidden = !way;
    if (!way) return;
    const moves = way.joints.filter(({ states }) => new Set(states).size > 1);
    const most = Math.max(...moves.flatMap(({ costs }) => costs.map((cost) => cost ?? 0)), 1e-6);
    const still = way.joints.length - moves.length;
    fill(
      this.way,
      h("h3", {}, "The path through the graphs"),
      h("p", { class: "dim" }, `A row for each joint that moves, a column for each step of ${Math.round(1000 * way.step_secs)} ms; the brighter, the less likely.${still > 0 ? ` ${still} joints stay.` : ""}`),
      h("div", { class: "grid" }, ...moves.map((joint) => this.row(joint, most)), this.needle),
    );
    this.move();
  }

  private row({ joint, orientations, states, costs }: GraphWay["joints"][number], most: number): HTMLElement {
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
