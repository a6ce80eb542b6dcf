// The path of an in-between motion through the graphs of all joints; less likely steps are brighter.
import type { FilledGap, GraphPath } from "../api.ts";
import type { App } from "../app.ts";
import { fill, h } from "../dom.ts";

export class GraphPathView {
  readonly element = h("div", { class: "graph-path", hidden: true });
  private readonly app: App;
  private gaps: { gap: FilledGap; needle: HTMLElement }[] = [];

  constructor(app: App) {
    this.app = app;
    app.on("shown", () => this.show());
    app.clock.onChange(() => this.move());
  }

  private show(): void {
    const gaps = (this.app.lead?.about.overlay?.gaps ?? []).filter(({ path }) => path !== null);
    this.gaps = gaps.map((gap) => ({ gap, needle: h("i", { class: "now" }) }));
    this.element.hidden = gaps.length === 0;
    if (gaps.length === 0) return;
    const step = Math.round(1000 * gaps[0]!.path!.step_secs);
    fill(
      this.element,
      h("h3", {}, "Path through the joint graphs"),
      h("p", { class: "dim" }, `One row per moving joint, one column per step of ${step} ms. Brighter steps are less likely.`),
      ...this.gaps.map(({ gap, needle }) => grid(gap.path!, needle)),
    );
    this.move();
  }

  private move(): void {
    const { now } = this.app.clock;
    for (const { gap, needle } of this.gaps) {
      const at = (now - gap.start_secs) / Math.max(gap.end_secs - gap.start_secs, 1e-6);
      needle.hidden = at < 0 || at > 1;
      needle.style.setProperty("--at", String(at));
    }
  }
}

function grid(path: GraphPath, needle: HTMLElement): HTMLElement {
  const moving = path.joints.filter(({ states }) => new Set(states).size > 1);
  const most = Math.max(...moving.flatMap(({ costs }) => costs.map((cost) => cost ?? 0)), 1e-6);
  return h("div", { class: "grid" }, ...moving.map((joint) => row(joint, most)), needle);
}

function row({ joint, orientations, states, costs }: GraphPath["joints"][number], most: number): HTMLElement {
  const cells = costs.map((cost, step) => {
    const [a, b] = [states[step], states[step + 1]];
    const cell = h("i", { class: a === b ? "stays" : "", title: `${joint}: orientation ${a} to ${b} of ${orientations}, ${cost === null ? "never seen" : `${cost.toFixed(1)} nats`}` });
    cell.style.setProperty("--heat", String(Math.round((100 * (cost ?? most)) / most)));
    return cell;
  });
  return h("div", { class: "joint" }, h("span", {}, joint), h("div", { class: "steps" }, ...cells));
}
