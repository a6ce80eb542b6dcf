// Realise: a plan as text, that a person may change, made motion by passes that can be switched off.
import { bytes } from "../api.ts";
import type { App } from "../app.ts";
import { button, h, tick } from "../dom.ts";

const METHODS = ["crossfade", "inertialise", "none"];

export class Realise {
  readonly element: HTMLElement;
  private readonly app: App;
  private readonly text = h("textarea", { placeholder: '{ "rate_hz": 60, "actors": [ … ] }', aria: { label: "Plan, as JSON" } });
  private readonly passes = { place: true, stretch: true, plant: true, constrain: true };
  private readonly method = h("select", { aria: { label: "How pieces are joined" } }, ...METHODS.map((word) => h("option", {}, word)));
  private readonly take: HTMLButtonElement;

  constructor(app: App) {
    this.app = app;
    this.take = button("Plan of what is on stage", "Put the plan of the chosen result here", () => app.try(this.fetch()));
    const pass = (name: keyof typeof this.passes, words: string, title: string) =>
      tick(words, title, true, (on) => (this.passes[name] = on));
    this.element = h(
      "section",
      { class: "panel realise", aria: { label: "Realise" } },
      h("h2", {}, "Realise a plan"),
      h("p", { class: "dim" }, "A plan says which frames of which take, when, where on the floor, how stretched. Change a line and realise it again."),
      h("div", { class: "row" }, this.take),
      this.text,
      h("label", { class: "row" }, h("span", {}, "Join"), this.method),
      h(
        "div",
        { class: "ticks" },
        pass("place", "place", "Put examples where the plan says"),
        pass("stretch", "stretch", "Let examples take the time that the plan says"),
        pass("plant", "plant", "Keep feet that stand standing"),
        pass("constrain", "constrain", "Keep meetings and targets"),
      ),
      button("Realise", "Make the motion", () => this.run(), { class: "primary" }),
    );
    app.on("shown", () => {
      this.take.disabled = !app.lead?.about.plan;
    });
    this.take.disabled = true;
  }

  private async fetch(): Promise<void> {
    const id = this.app.lead?.about.id;
    if (id) this.text.value = new TextDecoder().decode(await bytes(`/api/motions/${id}/export/plan`));
  }

  private run(): void {
    const { place, stretch, plant, constrain } = this.passes;
    const settings = {
      place,
      stretch,
      join: { method: this.method.value },
      ...(plant ? {} : { plant: null }),
      ...(constrain ? {} : { constrain: null }),
    };
    const task = this.app.make("Realising", "/api/panels/realise", { plan: this.text.value, settings });
    this.app.try(
      task.then(async (motions) => {
        if (motions.length === 0) return;
        await this.app.show(motions, this.app.shown.length > 0);
        this.app.notices.warnOf(this.app.lead?.about.warnings ?? []);
      }),
    );
  }
}
