// Duet: two who act on each other go on by themselves, along a path, or with one of them played.
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
interface Opened {
  rate_hz: number;
  who: number;
  groups: Group[];
}
interface Doing {
  group: number;
  kind: Kind;
  start: number;
  touch: number | null;
}
interface Said {
  doing: [Doing, Doing];
  waiting: number;
}

/** How often the mouse is told, in a second. */
const STEER_HZ = 10;
/** A path of two is walked no faster than this, in metres a second: they circle each other. */
const FASTEST_MPS = 0.5;
/** How long a touch is seen, in frames. */
const TOUCH_FRAMES = 20;

export class Duet {
  readonly element: HTMLElement;
  private readonly app: App;
  private readonly pair = chooser("Pair", [], () => this.names());
  private readonly who = chooser("Who is led", []);
  private readonly drawing: Drawing;
  private readonly moves = h("ul", { class: "moves", hidden: true, aria: { label: "Movements" } });
  private readonly said = h("p", { class: "dim", role: "status" });
  private readonly now = h("p", { class: "doing" });
  private readonly play: Player<Opened, Said>;
  /** What there is no room for while somebody plays. */
  private readonly alone: HTMLElement;
  private readonly wish = { secs: 20, temperature: 2, seed: 1 };
  private opened: Opened | null = null;
  private touches: (number | null)[] = [];
  private steered = 0;

  constructor(app: App) {
    this.app = app;
    this.drawing = new Drawing(app, "Draw the path", "Draw on the floor where one of them is to go", (samples) => this.drawn(samples));
    this.drawing.button.classList.remove("primary");
    this.play = new Player(app, "Play", "One of them obeys you, the other answers", "play-duet", {
      panel: "duet",
      preparing: "Learning the pair",
      wish: () => this.asking,
      opened: (about) => {
        this.opened = about;
        this.list();
      },
      frame: (number, said) => this.frame(number, said),
      rested: () => this.rested(),
    });
    this.alone = h(
      "div",
      { class: "part" },
      h("h2", {}, "By themselves"),
      slider("For", "s", { min: 5, max: 120, step: 5, value: this.wish.secs }, (value) => (this.wish.secs = value)),
      h("div", { class: "row" },
        button("Go on", "Let both go on by themselves", () => this.run({}), { class: "primary", id: "go-on" }),
        button("Once more", "Another run: other choices", () => {
          this.wish.seed += 1;
          this.run({});
        }),
      ),
    );
    this.element = h(
      "section",
      { class: "panel duet", aria: { label: "Duet" } },
      h("h2", {}, "Two who go on"),
      h("p", { class: "dim" }, "How two people act on each other is learned from a recorded pair; then they go on for as long as you like."),
      h("label", { class: "row" }, h("span", {}, "Pair"), this.pair),
      slider("Surprise", "", { min: 0, max: 6, step: 0.5, value: this.wish.temperature }, (value) => (this.wish.temperature = value)),
      this.alone,
      h("h2", {}, "With somebody led"),
      h("label", { class: "row" }, h("span", {}, "Who"), this.who),
      h("div", { class: "row" }, this.drawing.button, this.play.button),
      this.said,
      this.now,
      this.moves,
    );
    app.on("takes", () => this.build());
    app.stage.canvas.addEventListener("pointermove", (event) => this.steer(event));
    app.stage.canvas.addEventListener("pointerleave", () => this.steer(null));
    setInterval(() => this.count(), 1000);
  }

  /** A movement of a group, by its number on the list; or any for something. Only while somebody plays. */
  command(what: number | Kind): void {
    if (!this.opened) return;
    if (typeof what !== "number") return this.play.say({ kind: what });
    if (what < this.opened.groups.length) this.play.say({ group: what });
  }

  /** Stops drawing and playing. */
  leave(): void {
    this.drawing.toggle(false);
    this.play.end();
  }

  /** Stops drawing. */
  rest(): void {
    this.drawing.toggle(false);
  }

  private build(): void {
    const pairs = this.app.takes.filter(({ actors }) => actors.length === 2);
    const chosen = this.pair.value;
    // Who fights is the better opponent.
    const first = pairs.find(({ name }) => /taekwondo|bout|fight/i.test(name)) ?? pairs[0];
    fill(this.pair, ...pairs.map(({ id, name }) => h("option", { value: id }, name)));
    this.pair.value = pairs.some(({ id }) => id === chosen) && chosen !== "" && !this.isWaiting ? chosen : (first?.id ?? "");
    this.isWaiting = this.isWaiting && !/taekwondo|bout|fight/i.test(first?.name ?? "");
    this.names();
    for (const one of this.element.querySelectorAll<HTMLButtonElement>("#go-on, #play-duet")) one.disabled = pairs.length === 0;
    this.drawing.button.disabled = pairs.length === 0;
  }

  /** Whether nobody has chosen yet: a better first choice may come. */
  private isWaiting = true;

  private get take(): TakeRow | undefined {
    return this.app.takes.find(({ id }) => id === this.pair.value);
  }

  private names(): void {
    const chosen = this.who.selectedIndex;
    fill(this.who, ...(this.take?.actors ?? []).map((name, index) => h("option", { value: String(index) }, name)));
    this.who.selectedIndex = Math.max(chosen, 0);
  }

  private get asking() {
    const { temperature, seed } = this.wish;
    return { take: this.pair.value, temperature, seed, who: Math.max(this.who.selectedIndex, 0) };
  }

  private run(more: object): void {
    this.app.try(
      this.app.make("Going on", "/api/panels/duet", { ...this.asking, secs: this.wish.secs, ...more }).then(async (motions) => {
        if (motions.length > 0) await this.app.present(motions);
      }),
    );
  }

  private drawn(samples: Sample[]): void {
    const drawn = samples.length > 1 ? samples.at(-1)!.secs - samples[0]!.secs : 0;
    const far = lengthOf(samples.map(({ x, z }) => [x, z]));
    if (far < 0.5 || drawn < 0.4) {
      this.said.textContent = "That was too short to go along: draw a longer line.";
      return;
    }
    this.drawing.toggle(false);
    const stretch = Math.max(1, far / drawn / FASTEST_MPS);
    const points = sampled(samples, stretch);
    const secs = Math.min(Math.max(points.length / RATE_HZ, 1), 600);
    this.said.textContent = `${far.toFixed(1)} m, gone in ${secs.toFixed(0)} s.`;
    this.run({ secs, path: { points, rate_hz: RATE_HZ } });
  }

  private rested(): void {
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
      ...kinds.filter(([kind]) => groups.some((group) => group.kind === kind)).map(([kind, word]) => h("li", { class: "any" }, button(`${word}`, `Any ${word} (${keys[kind]})`, () => this.command(kind), { data: { kind } }))),
      ...groups.map(({ name, kind, movements }, index) =>
        h("li", { class: kind }, button(index < 9 ? `${index + 1} ${name}` : name, `${KINDS[kind]}: ${name}, ${movements} times in the recording`, () => this.command(index), { data: { group: String(index) } })),
      ),
    );
  }

  private frame(number: number, said: Said | null): void {
    if (said && this.opened) {
      const { doing, waiting } = said;
      const own = doing[this.opened.who as 0 | 1];
      const group = this.opened.groups[own.group];
      this.touches = doing.map(({ touch }) => touch);
      this.now.textContent = `${group?.name ?? ""}${waiting > 0 ? `, ${waiting} to come` : ""}`;
      for (const item of this.moves.querySelectorAll<HTMLElement>("[data-group]")) item.setAttribute("aria-pressed", String(Number(item.dataset["group"]) === own.group));
    }
    const touches = this.touches.some((touch) => touch !== null && number >= touch && number < touch + TOUCH_FRAMES);
    this.now.classList.toggle("touch", touches);
    this.app.stage.set(0);
  }

  private steer(event: PointerEvent | null): void {
    if (!this.opened) return;
    const now = performance.now();
    if (event && now - this.steered < 1000 / STEER_HZ) return;
    this.steered = now;
    const at = event && this.app.stage.floorAt(event);
    this.play.say({ place: at ? [at.x, at.z] : null });
    this.app.stage.sketch.setPace(at ? [at.x, at.z] : null);
    this.app.stage.wake();
  }

  private count(): void {
    const hz = this.play.rateHz();
    if (this.opened) this.said.textContent = `${hz} frames a second. Keys choose movements, the mouse on the floor says where to.`;
    this.element.dataset["fps"] = this.opened ? String(hz) : "";
  }
}
