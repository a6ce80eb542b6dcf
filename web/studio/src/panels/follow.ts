// Follow: draw a path and somebody walks it; choose a leader and somebody follows.
import type { TakeRow } from "../api.ts";
import type { App } from "../app.ts";
import { button, fill, h, slider, tick } from "../dom.ts";
import { Drawing } from "./drawing.ts";
import { RATE_HZ, type Sample, lengthOf, sampled, slowing } from "./path.ts";

/** A path is no shorter, in metres and seconds. */
const SHORTEST_M = 0.4;
const SHORTEST_SECS = 0.4;
/** Who goes slower stays on the spot, in metres a second. */
const SLOWEST_MPS = 0.4;

export class Follow {
  readonly element: HTMLElement;
  private readonly app: App;
  private readonly drawing: Drawing;
  private readonly said = h("p", { class: "dim", role: "status" });
  private readonly leaders = h("select", { aria: { label: "Leader" } });
  private readonly examples = h("ul", { class: "examples" });
  /** What the person ticked or unticked; otherwise, what travels is learned from. */
  private readonly chosen = new Map<string, boolean>();
  private readonly wish = { smooth_m: 0.15, smooth_secs: 0.3, k: 1, slow: true };
  private samples: Sample[] = [];

  constructor(app: App) {
    this.app = app;
    this.drawing = new Drawing(app, "Draw a path", "Draw on the floor with the mouse; let go, and somebody walks it (D)", (samples) => this.ended(samples));
    const again = () => this.samples.length > 0 && this.walk();
    const smooth = (name: "smooth_m" | "smooth_secs" | "k") => (value: number) => {
      this.wish[name] = value;
    };
    const sliders = [
      slider("Smooth the line", "m", { min: 0, max: 1, step: 0.05, value: this.wish.smooth_m }, smooth("smooth_m")),
      slider("Smooth the pace", "s", { min: 0, max: 1, step: 0.05, value: this.wish.smooth_secs }, smooth("smooth_secs")),
      slider("Continuity", "", { min: 0, max: 8, step: 0.25, value: this.wish.k }, smooth("k")),
    ];
    for (const one of sliders) one.addEventListener("change", again);
    this.element = h(
      "section",
      { class: "panel follow", aria: { label: "Follow" } },
      h("h2", {}, "Walk a path"),
      h("p", { class: "dim" }, "Draw on the floor as fast as somebody should walk. The ring goes along at the pace of the motion on stage."),
      this.drawing.button,
      this.said,
      ...sliders,
      tick("slow down what nobody can walk", "People draw faster than anybody walks: the whole path is then given more time", true, (on) => {
        this.wish.slow = on;
        again();
      }),
      h("details", {}, h("summary", {}, "Learn from"), this.examples),
      h("h2", {}, "Follow a leader"),
      h("p", { class: "dim" }, "The follower is made from the other takes with such a leader, and stands beside the one who really danced."),
      this.leaders,
      button("Make a follower", "Make a follower for the leader", () => this.follow(), { class: "primary", id: "make-follower" }),
    );
    app.on("takes", () => this.build());
    // The line stays while something that was made is on stage.
    app.on("shown", () => {
      if (!app.shown.some(({ about }) => about.id.startsWith("m"))) app.stage.sketch.set([]);
    });
  }

  /** Begins or ends drawing. */
  toggle(on = !this.drawing.isOpen): void {
    this.drawing.toggle(on);
  }

  private build(): void {
    const alone = this.app.takes.filter(({ actors, segments }) => actors.length === 1 && segments > 0);
    fill(
      this.examples,
      ...alone.map((take) => h("li", {}, tick(take.name, `${take.segments} segments`, this.isUsed(take), (on) => this.chosen.set(take.id, on)))),
    );
    this.drawing.button.disabled = alone.length === 0;
    if (alone.length === 0) this.said.textContent = "No take of one actor is cut into segments yet: show one and cut it on the timeline.";
    const chosen = this.leaders.value;
    const option = (take: TakeRow, actor: string) => h("option", { value: `${take.id} ${actor}` }, `${take.name}: ${actor}`);
    const pairs = this.app.takes.filter(({ actors, segments }) => actors.length > 1 && segments > 0);
    fill(this.leaders, ...pairs.flatMap((take) => take.actors.slice(0, 2).map((actor) => option(take, actor))));
    if ([...this.leaders.options].some(({ value }) => value === chosen)) this.leaders.value = chosen;
    this.leaders.disabled = pairs.length < 2;
    this.element.querySelector<HTMLButtonElement>("#make-follower")!.disabled = pairs.length < 2;
  }

  private isUsed({ id, actors, segments, speed_mps }: TakeRow): boolean {
    const travels = speed_mps === null || speed_mps > SLOWEST_MPS;
    return actors.length === 1 && segments > 0 && (this.chosen.get(id) ?? travels);
  }

  private ended(samples: Sample[]): void {
    const secs = samples.length > 0 ? samples.at(-1)!.secs - samples[0]!.secs : 0;
    if (lengthOf(samples.map(({ x, z }) => [x, z])) < SHORTEST_M || secs < SHORTEST_SECS) {
      this.said.textContent = "That was too short to walk: draw a longer line.";
      return;
    }
    this.samples = samples;
    this.toggle(false);
    this.walk();
  }

  private walk(): void {
    const stretch = this.wish.slow ? slowing(this.samples) : 1;
    const points = sampled(this.samples, stretch);
    const drawn = this.samples.at(-1)!.secs - this.samples[0]!.secs;
    const began = performance.now();
    const { smooth_m, smooth_secs, k } = this.wish;
    const used = this.app.takes.filter((take) => this.isUsed(take));
    const wish = { lead: { path: { points, rate_hz: RATE_HZ, smooth_m, smooth_secs } }, k, examples: used.map(({ id }) => id) };
    this.app.try(
      this.app.make("Walking the path", "/api/panels/follow", wish).then(async (motions) => {
        if (motions.length === 0) return;
        await this.app.present(motions);
        const took = (performance.now() - began) / 1000;
        const slower = stretch > 1.01 ? `drawn in ${drawn.toFixed(1)} s, walked in ${(drawn * stretch).toFixed(1)} s` : `${drawn.toFixed(1)} s`;
        this.said.textContent = `${lengthOf(points).toFixed(1)} m, ${slower}. Ready after ${took.toFixed(1)} s.`;
      }),
    );
  }

  private follow(): void {
    const [take, ...actor] = this.leaders.value.split(" ");
    if (!take) return;
    this.app.stage.sketch.set([]);
    const wish = { lead: { actor: { take, actor: actor.join(" ") } } };
    this.app.try(
      this.app.make("Following the leader", "/api/panels/follow", wish).then(async (motions) => {
        if (motions.length === 0) return;
        await this.app.present(motions, [take]);
        this.app.stage.isSplit = true;
        this.app.tell("shown");
      }),
    );
  }
}
