// Follow: walks along a drawn path, or follows a leader.
import type { TakeRow } from "../api.ts";
import type { App } from "../app.ts";
import { button, fill, h, slider, checkbox } from "../dom.ts";
import { Drawing } from "./drawing.ts";
import { RATE_HZ, type Sample, lengthOf, sampled, slowdown } from "./path.ts";

/** Minimum length of a path, in metres and seconds. */
const MIN_LENGTH_M = 0.4;
const MIN_SECS = 0.4;
/** Slower takes are not used as examples of walking, in metres per second. */
const MIN_SPEED_MPS = 0.4;

export class Follow {
  readonly element: HTMLElement;
  private readonly app: App;
  private readonly drawing: Drawing;
  private readonly status = h("p", { class: "dim", role: "status" });
  private readonly leaders = h("select", { aria: { label: "Leader" } });
  private readonly examples = h("ul", { class: "examples" });
  /** Takes that the user selected or deselected. By default, takes that travel are used. */
  private readonly chosen = new Map<string, boolean>();
  private readonly settings = { smooth_m: 0.15, smooth_secs: 0.3, k: 1, slow: true };
  private samples: Sample[] = [];

  constructor(app: App) {
    this.app = app;
    this.drawing = new Drawing(app, "Draw a path", "Draw on the floor with the mouse; when you release the button, a character walks the path (D)", (samples) => this.ended(samples));
    const again = () => this.samples.length > 0 && this.walk();
    const smooth = (name: "smooth_m" | "smooth_secs" | "k") => (value: number) => {
      this.settings[name] = value;
    };
    const sliders = [
      slider("Smooth path", "m", { min: 0, max: 1, step: 0.05, value: this.settings.smooth_m }, smooth("smooth_m")),
      slider("Smooth speed", "s", { min: 0, max: 1, step: 0.05, value: this.settings.smooth_secs }, smooth("smooth_secs")),
      slider("Continuity", "", { min: 0, max: 8, step: 0.25, value: this.settings.k }, smooth("k")),
    ];
    for (const one of sliders) one.addEventListener("change", again);
    this.element = h(
      "section",
      { class: "panel follow", aria: { label: "Follow" } },
      h("h2", {}, "Walk along a path"),
      h("p", { class: "dim" }, "Draw on the floor at walking speed. The ring shows how fast the motion on stage moves."),
      this.drawing.button,
      this.status,
      ...sliders,
      checkbox("Slow down to walking speed", "Paths are often drawn faster than anyone can walk; the whole path then gets more time", true, (on) => {
        this.settings.slow = on;
        again();
      }),
      h("details", {}, h("summary", {}, "Examples"), this.examples),
      h("h2", {}, "Follow a leader"),
      h("p", { class: "dim" }, "Generates a follower from other takes of a leader and a follower, and shows it beside the recorded pair."),
      this.leaders,
      button("Generate follower", "Generate a follower for the selected leader", () => this.follow(), { class: "primary", id: "make-follower" }),
    );
    app.on("takes", () => this.build());
    // The line stays while a result is on the stage.
    app.on("shown", () => {
      if (!app.shown.some(({ about }) => about.id.startsWith("m"))) app.stage.sketch.set([]);
    });
  }

  /** Starts or stops drawing. */
  toggle(on = !this.drawing.isOpen): void {
    this.drawing.toggle(on);
  }

  private build(): void {
    const solos = this.app.takes.filter(({ actors, segments }) => actors.length === 1 && segments > 0);
    fill(
      this.examples,
      ...solos.map((take) => h("li", {}, checkbox(take.name, `${take.segments} ${take.segments === 1 ? "segment" : "segments"}`, this.isUsed(take), (on) => this.chosen.set(take.id, on)))),
    );
    this.drawing.button.disabled = solos.length === 0;
    if (solos.length === 0) this.status.textContent = "No take with one actor has segments yet. Show such a take and segment it on the timeline.";
    const chosen = this.leaders.value;
    const option = (take: TakeRow, actor: string) => h("option", { value: `${take.id} ${actor}` }, `${take.name}: ${actor}`);
    const pairs = this.app.takes.filter(({ actors, segments }) => actors.length > 1 && segments > 0);
    fill(this.leaders, ...pairs.flatMap((take) => take.actors.slice(0, 2).map((actor) => option(take, actor))));
    if ([...this.leaders.options].some(({ value }) => value === chosen)) this.leaders.value = chosen;
    this.leaders.disabled = pairs.length < 2;
    this.element.querySelector<HTMLButtonElement>("#make-follower")!.disabled = pairs.length < 2;
  }

  private isUsed({ id, actors, segments, speed_mps }: TakeRow): boolean {
    const isTravelling = speed_mps === null || speed_mps > MIN_SPEED_MPS;
    return actors.length === 1 && segments > 0 && (this.chosen.get(id) ?? isTravelling);
  }

  private ended(samples: Sample[]): void {
    const secs = samples.length > 0 ? samples.at(-1)!.secs - samples[0]!.secs : 0;
    if (lengthOf(samples.map(({ x, z }) => [x, z])) < MIN_LENGTH_M || secs < MIN_SECS) {
      this.status.textContent = "The path is too short. Draw a longer line.";
      return;
    }
    this.samples = samples;
    this.toggle(false);
    this.walk();
  }

  private walk(): void {
    const stretch = this.settings.slow ? slowdown(this.samples) : 1;
    const points = sampled(this.samples, stretch);
    const drawn = this.samples.at(-1)!.secs - this.samples[0]!.secs;
    const began = performance.now();
    const { smooth_m, smooth_secs, k } = this.settings;
    const used = this.app.takes.filter((take) => this.isUsed(take));
    const message = { control: { path: { points, rate_hz: RATE_HZ, smooth_m, smooth_secs } }, k, examples: used.map(({ id }) => id) };
    this.app.try(
      this.app.make("Following the path", "/api/panels/follow", message).then(async (motions) => {
        if (motions.length === 0) return;
        await this.app.present(motions);
        const took = (performance.now() - began) / 1000;
        const slower = stretch > 1.01 ? `drawn in ${drawn.toFixed(1)} s, walked in ${(drawn * stretch).toFixed(1)} s` : `${drawn.toFixed(1)} s`;
        this.status.textContent = `${lengthOf(points).toFixed(1)} m, ${slower}. Ready after ${took.toFixed(1)} s.`;
      }),
    );
  }

  private follow(): void {
    const [take, ...actor] = this.leaders.value.split(" ");
    if (!take) return;
    this.app.stage.sketch.set([]);
    const message = { control: { actor: { take, actor: actor.join(" ") } } };
    this.app.try(
      this.app.make("Following the leader", "/api/panels/follow", message).then(async (motions) => {
        if (motions.length === 0) return;
        await this.app.present(motions, [take]);
        this.app.stage.isSplit = true;
        this.app.notify("shown");
      }),
    );
  }
}
