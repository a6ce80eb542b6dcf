// Duet: two characters that interact, on their own, along a path, or with one of them controlled live.
import type { TakeRow } from "../api.ts";
import type { App } from "../app.ts";
import { button, chooser, fill, h, slider } from "../dom.ts";
import { Drawing } from "./drawing.ts";
import { RATE_HZ, type Sample, lengthOf, sampled } from "./path.ts";
import { Player } from "./player.ts";

type Kind = "normal" | "offensive" | "defensive";
const KINDS: Record<Kind, string> = { normal: "step", offensive: "attack", defensive: "defend" };

interface Group {
  name: string;
  kind: Kind;
  movements: number;
}
interface SessionInfo {
  rate_hz: number;
  person: number;
  groups: Group[];
}
interface Movement {
  group: number;
  kind: Kind;
  start: number;
  touch: number | null;
}
interface FrameState {
  current: [Movement, Movement];
  queued: number;
}

/** How often the position of the mouse is sent, per second. */
const STEER_HZ = 10;
/** Maximum speed of a pair along a path, in metres per second. */
const MAX_SPEED_MPS = 0.5;
/** How long a contact is highlighted, in frames. */
const TOUCH_FRAMES = 20;

export class Duet {
  readonly element: HTMLElement;
  private readonly app: App;
  private readonly pair = chooser("Pair", [], () => this.names());
  private readonly person = chooser("Controlled person", []);
  private readonly drawing: Drawing;
  private readonly moves = h("ul", { class: "moves", hidden: true, aria: { label: "Movements" } });
  private readonly status = h("p", { class: "dim", role: "status" });
  private readonly now = h("p", { class: "current" });
  private readonly play: Player<SessionInfo, FrameState>;
  /** Controls that are hidden during a live session. */
  private readonly alone: HTMLElement;
  private readonly settings = { secs: 20, temperature: 2, seed: 1 };
  private opened: SessionInfo | null = null;
  private touches: (number | null)[] = [];
  private steered = 0;

  constructor(app: App) {
    this.app = app;
    this.drawing = new Drawing(app, "Draw the path", "Draw the path of the controlled person on the floor", (samples) => this.drawn(samples));
    this.drawing.button.classList.remove("primary");
    this.play = new Player(app, "Play", "Control one person; the other responds", "play-duet", {
      panel: "duet",
      preparing: "Learning from the pair",
      message: () => this.request,
      opened: (about) => {
        this.opened = about;
        this.list();
      },
      frame: (number, state) => this.frame(number, state),
      ended: () => this.ended(),
    });
    this.alone = h(
      "div",
      { class: "part" },
      h("h2", {}, "On their own"),
      slider("Duration", "s", { min: 5, max: 120, step: 5, value: this.settings.secs }, (value) => (this.settings.secs = value)),
      h("div", { class: "row" },
        button("Generate", "Generate motion of both", () => this.run({}), { class: "primary", id: "generate-duet" }),
        button("Variation", "Generate with another random seed", () => {
          this.settings.seed += 1;
          this.run({});
        }),
      ),
    );
    this.element = h(
      "section",
      { class: "panel duet", aria: { label: "Duet" } },
      h("h2", {}, "Continue a duet"),
      h("p", { class: "dim" }, "Learns from a recorded pair how two people interact, then generates as much motion as you like."),
      h("label", { class: "row" }, h("span", {}, "Pair"), this.pair),
      slider("Temperature", "", { min: 0, max: 6, step: 0.5, value: this.settings.temperature }, (value) => (this.settings.temperature = value)),
      this.alone,
      h("h2", {}, "Control one person"),
      h("label", { class: "row" }, h("span", {}, "Person"), this.person),
      h("div", { class: "row" }, this.drawing.button, this.play.button),
      this.status,
      this.now,
      this.moves,
    );
    app.on("takes", () => this.build());
    app.stage.canvas.addEventListener("pointermove", (event) => this.steer(event));
    app.stage.canvas.addEventListener("pointerleave", () => this.steer(null));
    setInterval(() => this.count(), 1000);
  }

  /** Requests a movement of a group, by its index in the list, or of a kind. Only during a live session. */
  command(what: number | Kind): void {
    if (!this.opened) return;
    if (typeof what !== "number") return this.play.send({ kind: what });
    if (what < this.opened.groups.length) this.play.send({ group: what });
  }

  /** Stops drawing and ends the live session. */
  leave(): void {
    this.drawing.toggle(false);
    this.play.end();
  }

  /** Stops drawing. */
  stopDrawing(): void {
    this.drawing.toggle(false);
  }

  private build(): void {
    const pairs = this.app.takes.filter(({ actors }) => actors.length === 2);
    const chosen = this.pair.value;
    // Fights show the most interaction.
    const first = pairs.find(({ name }) => /taekwondo|bout|fight/i.test(name)) ?? pairs[0];
    fill(this.pair, ...pairs.map(({ id, name }) => h("option", { value: id }, name)));
    this.pair.value = pairs.some(({ id }) => id === chosen) && chosen !== "" && !this.isWaiting ? chosen : (first?.id ?? "");
    this.isWaiting = this.isWaiting && !/taekwondo|bout|fight/i.test(first?.name ?? "");
    this.names();
    for (const one of this.element.querySelectorAll<HTMLButtonElement>("#generate-duet, #play-duet")) one.disabled = pairs.length === 0;
    this.drawing.button.disabled = pairs.length === 0;
  }

  /** Whether a better default may still arrive. */
  private isWaiting = true;

  private get take(): TakeRow | undefined {
    return this.app.takes.find(({ id }) => id === this.pair.value);
  }

  private names(): void {
    const chosen = this.person.selectedIndex;
    fill(this.person, ...(this.take?.actors ?? []).map((name, index) => h("option", { value: String(index) }, name)));
    this.person.selectedIndex = Math.max(chosen, 0);
  }

  private get request() {
    const { temperature, seed } = this.settings;
    return { take: this.pair.value, temperature, seed, person: Math.max(this.person.selectedIndex, 0) };
  }

  private run(more: object): void {
    this.app.try(
      this.app.make("Generating the duet", "/api/panels/duet", { ...this.request, secs: this.settings.secs, ...more }).then(async (motions) => {
        if (motions.length > 0) await this.app.present(motions);
      }),
    );
  }

  private drawn(samples: Sample[]): void {
    const drawn = samples.length > 1 ? samples.at(-1)!.secs - samples[0]!.secs : 0;
    const far = lengthOf(samples.map(({ x, z }) => [x, z]));
    if (far < 0.5 || drawn < 0.4) {
      this.status.textContent = "The path is too short. Draw a longer line.";
      return;
    }
    this.drawing.toggle(false);
    const stretch = Math.max(1, far / drawn / MAX_SPEED_MPS);
    const points = sampled(samples, stretch);
    const secs = Math.min(Math.max(points.length / RATE_HZ, 1), 600);
    this.status.textContent = `${far.toFixed(1)} m in ${secs.toFixed(0)} s.`;
    this.run({ secs, path: { points, rate_hz: RATE_HZ } });
  }

  private ended(): void {
    this.opened = null;
    this.moves.hidden = true;
    this.alone.hidden = false;
    this.now.textContent = "";
    this.app.stage.sketch.setPace(null);
  }

  private list(): void {
    const { groups } = this.opened!;
    this.moves.hidden = false;
    this.alone.hidden = true;
    const kinds = Object.entries(KINDS) as [Kind, string][];
    const keys: Record<Kind, string> = { offensive: "Q", defensive: "W", normal: "S" };
    fill(
      this.moves,
      ...kinds.filter(([kind]) => groups.some((group) => group.kind === kind)).map(([kind, label]) => h("li", { class: "any" }, button(label, `Any movement: ${label} (${keys[kind]})`, () => this.command(kind), { data: { kind } }))),
      ...groups.map(({ name, kind, movements }, index) =>
        h("li", { class: kind }, button(index < 9 ? `${index + 1} ${name}` : name, `${KINDS[kind]}: ${name}, ${movements} in the recording`, () => this.command(index), { data: { group: String(index) } })),
      ),
    );
  }

  private frame(number: number, state: FrameState | null): void {
    if (state && this.opened) {
      const { current, queued } = state;
      const own = current[this.opened.person as 0 | 1];
      const group = this.opened.groups[own.group];
      this.touches = current.map(({ touch }) => touch);
      this.now.textContent = `${group?.name ?? ""}${queued > 0 ? `, ${queued} queued` : ""}`;
      for (const item of this.moves.querySelectorAll<HTMLElement>("[data-group]")) item.setAttribute("aria-pressed", String(Number(item.dataset["group"]) === own.group));
    }
    const isTouching = this.touches.some((touch) => touch !== null && number >= touch && number < touch + TOUCH_FRAMES);
    this.now.classList.toggle("touch", isTouching);
    this.app.stage.set(0);
  }

  private steer(event: PointerEvent | null): void {
    if (!this.opened) return;
    const now = performance.now();
    if (event && now - this.steered < 1000 / STEER_HZ) return;
    this.steered = now;
    const at = event && this.app.stage.floorAt(event);
    this.play.send({ target: at ? [at.x, at.z] : null });
    this.app.stage.sketch.setPace(at ? [at.x, at.z] : null);
    this.app.stage.wake();
  }

  private count(): void {
    const hz = this.play.rateHz();
    if (this.opened) this.status.textContent = `${hz} frames per second. Keys choose movements; the mouse on the floor sets the target.`;
    this.element.dataset["fps"] = this.opened ? String(hz) : "";
  }
}
