// Realise: turns an editable plan into motion, by passes that can be switched off.
import { getBytes } from "../api.ts";
import type { App } from "../app.ts";
import { button, checkbox, h } from "../dom.ts";

const METHODS = ["crossfade", "inertialise", "none"];

export class Realise {
  readonly element: HTMLElement;
  private readonly app: App;
  private readonly text = h("textarea", { placeholder: '{ "rate_hz": 60, "actors": [ … ] }', aria: { label: "Plan, as JSON" } });
  private readonly passes = { place: true, stretch: true, plant: true, constrain: true };
  private readonly method = h("select", { aria: { label: "Join method" } }, ...METHODS.map((method) => h("option", {}, method)));
  private readonly load: HTMLButtonElement;

  constructor(app: App) {
    this.app = app;
    this.load = button("Load plan from stage", "Load the plan of the selected result", () => app.try(this.fetch()));
    const pass = (name: keyof typeof this.passes, label: string, title: string) =>
      checkbox(label, title, true, (on) => (this.passes[name] = on));
    this.element = h(
      "section",
      { class: "panel realise", aria: { label: "Realise" } },
      h("h2", {}, "Realise a plan"),
      h("p", { class: "dim" }, "A plan lists which frames of which take play when, where and how fast. Edit it and realise it again."),
      h("div", { class: "row" }, this.load),
      this.text,
      h("label", { class: "row" }, h("span", {}, "Join"), this.method),
      h(
        "div",
        { class: "ticks" },
        pass("place", "Place", "Move clips to the positions of the plan"),
        pass("stretch", "Stretch", "Retime clips as in the plan"),
        pass("plant", "Plant", "Keep planted feet in place"),
        pass("constrain", "Constrain", "Keep hand holds and targets"),
      ),
      button("Realise", "Realise the plan", () => this.run(), { class: "primary" }),
    );
    app.on("shown", () => {
      this.load.disabled = !app.lead?.about.plan;
    });
    this.load.disabled = true;
  }

  private async fetch(): Promise<void> {
    const id = this.app.lead?.about.id;
    if (id) this.text.value = new TextDecoder().decode(await getBytes(`/api/motions/${id}/export/plan`));
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
        this.app.notices.setWarnings(this.app.lead?.about.warnings ?? []);
      }),
    );
  }
}
