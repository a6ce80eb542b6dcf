// Follow: draw a path and somebody walks it; choose a leader and somebody follows.
import type { TakeRow } from "../api.ts";
import type { App } from "../app.ts";
import { button, fill, h, slider, tick } from "../dom.ts";
import { RATE_HZ, type Sample, lengthOf, sampled, slowing } from "./path.ts";

/** A path is no shorter, in metres and seconds. */
const SHORTEST_M = 0.4;
const SHORTEST_SECS = 0.4;
/** Who goes slower stays on the spot, in metres a second. */
const SLOWEST_MPS = 0.4;

export class Follow {
  readonly element: HTMLElement;
  private readonly app: App;
  private readonly drawing: HTMLButtonElement;
  private readonly said = h("p", { class: "dim", role: "status" });
  private readonly leaders = h("select", { aria: { label: "Leader" } });
  private readonly examples = h("ul", { class: "examples" });
  /** What the person ticked or unticked; otherwise, what travels is learned from. */
  private readonly chosen = new Map<string, boolean>();
  private readonly wish = { smooth_m: 0.15, smooth_secs: 0.3, k: 2, slow: true };
  private samples: Sample[] = [];

  constructor(app: App) {
    this.app = app;
    this.drawing = button("Draw a path", "Draw on the floor with the mouse; let go, and somebody walks it (D)", () => this.toggle(), {
      class: "primary",
      aria: { pressed: "false" },
    });
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
      this.drawing,
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
    this.listen();
  }

  /** Begins or ends drawing. */
  toggle(on = !this.app.stage.sketch.isOpen): void {
    const { stage } = this.app;
    stage.sketch.isOpen = on;
    stage.isSteered = !on;
    stage.canvas.classList.toggle("drawing", on);
    this.drawing.setAttribute("aria-pressed", String(on));
    this.drawing.textContent = on ? "Drawing… (Esc)" : "Draw a path";
    if (on) {
      stage.isSplit = false;
      stage.lookDown();
    }
    stage.wake();
  }

  private build(): void {
    const alone = this.app.takes.filter(({ actors, segments }) => actors.length === 1 && segments > 0);
    fill(
      this.examples,
      ...alone.map((take) => h("li", {}, tick(take.name, `${take.segments} segments`, this.isUsed(take), (on) => this.chosen.set(take.id, on)))),
    );
    this.drawing.disabled = alone.length === 0;
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

  private listen(): void {
    const { stage, clock } = this.app;
    stage.canvas.addEventListener("pointerdown", (event) => {
      if (!stage.sketch.isOpen || event.button !== 0) return;
      const began = performance.now();
      const from = clock.now;
      const samples: Sample[] = [];
      const add = (now: PointerEvent) => {
        const at = stage.floorAt(now);
        if (!at) return;
        samples.push({ ...at, secs: (performance.now() - began) / 1000 });
        stage.sketch.set(samples.map(({ x, z }) => [x, z]));
        stage.wake();
      };
      // The motion on stage plays along, and its pace goes along the line.
      if (!clock.isRunning) clock.toggle();
      const pace = setInterval(() => this.pace(samples, from), 1000 / RATE_HZ);
      stage.canvas.setPointerCapture(event.pointerId);
      add(event);
      stage.canvas.addEventListener("pointermove", add);
      const stop = (last: PointerEvent) => {
        clearInterval(pace);
        add(last);
        stage.sketch.setPace(null);
        stage.canvas.removeEventListener("pointermove", add);
        this.ended(samples);
      };
      stage.canvas.addEventListener("pointerup", stop, { once: true });
    });
  }

  /** The ring is as far along the line as the hips of the motion on stage have gone since the stroke began. */
  private pace(samples: Sample[], from: number): void {
    const { stage, lead, clock } = this.app;
    const troupe = stage.troupes[0];
    const last = samples.at(-1);
    if (!lead || !troupe || !last) return;
    const { rateHz } = lead.motion;
    const actor = lead.motion.actors[0]!;
    const step = Math.max(Math.round(rateHz / 10), 1);
    let far = 0;
    const root = (frame: number) => 3 * actor.movers * Math.min(frame, lead.motion.frames - 1);
    for (let frame = Math.round(from * rateHz); frame + step <= clock.now * rateHz; frame += step) {
      const [a, b] = [root(frame), root(frame + step)];
      far += Math.hypot(actor.positions[b]! - actor.positions[a]!, actor.positions[b + 2]! - actor.positions[a + 2]!);
    }
    for (let index = 1; index < samples.length; index++) {
      const [a, b] = [samples[index - 1]!, samples[index]!];
      const piece = Math.hypot(b.x - a.x, b.z - a.z);
      if (far <= piece) {
        const share = piece > 0 ? far / piece : 0;
        stage.sketch.setPace([a.x + share * (b.x - a.x), a.z + share * (b.z - a.z)]);
        stage.wake();
        return;
      }
      far -= piece;
    }
    stage.sketch.setPace([last.x, last.z]);
    stage.wake();
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
      this.app.make("Walking the path", "/api/panels/follow", wish).then(async (motion) => {
        if (!motion) return;
        await this.app.show([motion]);
        const took = (performance.now() - began) / 1000;
        const slower = stretch > 1.01 ? `drawn in ${drawn.toFixed(1)} s, walked in ${(drawn * stretch).toFixed(1)} s` : `${drawn.toFixed(1)} s`;
        this.said.textContent = `${lengthOf(points).toFixed(1)} m, ${slower}. Ready after ${took.toFixed(1)} s.`;
        this.tell();
      }),
    );
  }

  private follow(): void {
    const [take, ...actor] = this.leaders.value.split(" ");
    if (!take) return;
    this.app.stage.sketch.set([]);
    const wish = { lead: { actor: { take, actor: actor.join(" ") } } };
    this.app.try(
      this.app.make("Following the leader", "/api/panels/follow", wish).then(async (motion) => {
        if (!motion) return;
        await this.app.show([motion, take]);
        this.app.stage.isSplit = true;
        this.app.tell("shown");
        this.tell();
      }),
    );
  }

  /** Starts playing, and says what was found on the way. */
  private tell(): void {
    const { clock, lead, notices } = this.app;
    if (!clock.isRunning) clock.toggle();
    for (const told of lead?.about.warnings ?? []) notices.warn(told);
  }
}
