// Perform: somebody in the adventure world, puppeted by keys or performed from a recording, seen live.
import type { App } from "../app.ts";
import { chooser, fill, h, tick } from "../dom.ts";
import type { Motion } from "../motion.ts";
import type { Group } from "../shortcuts.ts";
import type { Acting, World } from "../stage/world.ts";
import { Player } from "./player.ts";

interface Opened {
  rate_hz: number;
  world: World;
  activities: string[];
  /** Of the adventure. */
  parts: string[];
}
interface Said extends Acting {
  acts: string;
  imitates: string | null;
  water: string | null;
  holds: (string | null)[];
  finished: boolean;
}
/** A frame that can be gone back to. */
interface Seen {
  places: Float32Array;
  turns: Float32Array;
  said: Said;
}

/** How much can be gone back to, in seconds. */
const REWIND_SECS = 30;
const LIMBS = ["left hand", "right hand", "left foot", "right foot"];

/** What a key does while it is held: an activity, a part of the adventure, or a turn. */
interface Act {
  keys: string[];
  does: string;
  act?: string;
  play?: string;
  turn?: number;
}
const ACTS: Act[] = [
  { keys: ["ArrowUp"], does: "walk", act: "walk" },
  { keys: ["ArrowLeft"], does: "turn left", turn: 1 },
  { keys: ["ArrowRight"], does: "turn right", turn: -1 },
  { keys: ["x"], does: "swing, hands closed", act: "swing" },
  { keys: ["c"], does: "climb", act: "climb" },
  { keys: ["z"], does: "swim", act: "breast-stroke" },
  { keys: ["n"], does: "jump", act: "jump" },
  { keys: ["u"], does: "jump and tuck", act: "tuck jump" },
  { keys: ["i"], does: "hang and kick", act: "hang and kick" },
  { keys: ["1"], does: "on to the bars, and along them", play: "bars" },
  { keys: ["2"], does: "on to the rope, and across", play: "rope" },
  { keys: ["3"], does: "on to the pole, and down", play: "pole" },
  { keys: ["4"], does: "on to the rocks, and up", play: "rocks" },
  { keys: ["5"], does: "on to the trampoline", play: "trampoline" },
  { keys: ["6"], does: "into the pool, and through it", play: "breast-stroke" },
  { keys: ["7"], does: "shoot a web, and across", play: "web" },
  { keys: ["8"], does: "on to the finish", play: "walk" },
];

export class Perform {
  readonly element: HTMLElement;
  /** The keys, for the panel that lists all. */
  readonly group: Group = { name: "Performing, while held", shortcuts: ACTS.map(({ keys, does }) => ({ keys, does, act: () => undefined })) };
  private readonly app: App;
  private readonly input = chooser("Who performs", [["keyboard", "the keyboard"]], () => this.choose());
  private readonly port = h("input", { type: "number", min: "1", max: "65535", value: "7000", aria: { label: "Port" } });
  private readonly socket = h("label", { class: "row", hidden: true, title: "Lines of JSON, as `marey perform --input tcp:` reads them" }, h("span", {}, "Port of this machine"), this.port);
  private readonly play: Player<Opened, Said>;
  private readonly said = h("p", { class: "dim", role: "status" });
  private readonly state = h("dl", { class: "state", hidden: true });
  private readonly keys = h("ul", { class: "moves", hidden: true, aria: { label: "What the performer does" } });
  private readonly rewind = h("input", { type: "range", min: String(-REWIND_SECS), max: "0", step: "0.02", value: "0", aria: { label: "Rewind, in seconds" } });
  private readonly back = h("label", { class: "slider", hidden: true }, h("span", {}, "Rewind", h("output", {}, "live")), this.rewind);
  private readonly held = new Set<Act>();
  private opened: Opened | null = null;
  private motion: Motion | null = null;
  private seen: Seen[] = [];
  private isLive = false;
  private showsMarks = true;

  constructor(app: App) {
    this.app = app;
    this.play = new Player(app, "Perform", "Go into the world", "perform", {
      panel: "perform",
      preparing: "Going into the world",
      wish: () => this.wish,
      opened: (about, motion) => this.open(about, motion),
      frame: (_, said) => this.frame(said),
      rested: () => this.rested(),
    });
    this.rewind.addEventListener("input", () => this.look());
    this.element = h(
      "section",
      { class: "panel perform", aria: { label: "Perform" } },
      h("h2", {}, "Perform in a world"),
      h("p", { class: "dim intro" }, "Somebody acts in an empty room as if on bars, a rope or in the water; the character does it in a world with physics. Keys puppet the performer; a recording performs by itself."),
      h("label", { class: "row" }, h("span", {}, "Who"), this.input),
      this.socket,
      this.play.button,
      this.said,
      tick("holds, forces and speed", "Marks on the figure: orange what is held and what presses, green how fast it goes", true, (on) => {
        this.showsMarks = on;
        this.look();
      }),
      this.state,
      this.back,
      this.keys,
    );
    app.on("takes", () => {
      const chosen = this.input.value;
      const performers = app.takes.filter(({ actors }) => actors.length === 1).toSorted((a, b) => Number(!/perform/i.test(a.name)) - Number(!/perform/i.test(b.name)));
      fill(this.input, h("option", { value: "keyboard" }, "the keyboard"), h("option", { value: "port" }, "a live socket"), ...performers.map(({ id, name }) => h("option", { value: id }, `recorded: ${name}`)));
      this.input.value = chosen === "port" || performers.some(({ id }) => id === chosen) ? chosen : "keyboard";
    });
    app.on("shown", () => {
      if (!this.play.isOn) app.stage.scenery.set(app.lead?.about.shows?.world ?? null);
    });
    addEventListener("keydown", (event) => this.key(event, true), true);
    addEventListener("keyup", (event) => this.key(event, false), true);
    addEventListener("blur", () => this.hold(null));
    setInterval(() => this.count(), 1000);
  }

  private choose(): void {
    this.socket.hidden = this.input.value !== "port";
  }

  leave(): void {
    this.play.end();
  }

  private get wish(): unknown {
    const chosen = this.input.value;
    this.isLive = chosen === "port";
    return chosen === "keyboard" ? chosen : this.isLive ? { port: Number(this.port.value) } : { take: chosen };
  }

  private open(about: Opened, motion: Motion): void {
    this.opened = about;
    this.motion = motion;
    this.seen = [];
    this.app.stage.scenery.set(about.world);
    this.app.stage.lookAlong();
    this.list();
  }

  private rested(): void {
    this.opened = null;
    this.motion = null;
    this.held.clear();
    for (const one of [this.keys, this.state, this.back]) one.hidden = true;
    this.said.textContent = "";
    this.element.classList.remove("busy");
  }

  private list(): void {
    const { activities, parts } = this.opened!;
    const known = ACTS.filter(({ act, play }) => (act === undefined || activities.includes(act)) && (play === undefined || parts.includes(play)));
    this.keys.hidden = this.opened!.activities.length === 0;
    this.state.hidden = false;
    this.element.classList.add("busy");
    this.back.hidden = false;
    const press = (event: Event, held: Act | null) => {
      event.preventDefault();
      this.hold(held);
    };
    fill(
      this.keys,
      ...known.map((one) => {
        const { keys, does, act, play, turn } = one;
        const name = act ?? play ?? String(turn);
        const element = h("button", { type: "button", title: play === undefined ? `Hold to ${does}` : "Hold; the performer looks where the character is", data: { act: name } }, h("kbd", {}, SPELLED[keys[0]!] ?? keys[0]!.toUpperCase()), ` ${does}`);
        element.addEventListener("pointerdown", (event) => {
          element.setPointerCapture(event.pointerId);
          press(event, one);
          for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, (last) => press(last, null), { once: true });
        });
        return h("li", {}, element);
      }),
    );
  }

  /** Keys are held and let go; while somebody performs, they are for the performer alone. */
  private key(event: KeyboardEvent, isDown: boolean): void {
    if (!this.opened || this.opened.activities.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as HTMLElement).closest?.("input, select, textarea, dialog[open]")) return;
    const found = ACTS.find(({ keys }) => keys.includes(event.key));
    if (!found) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    if (found.turn !== undefined) return this.play.say({ turn: isDown ? found.turn : 0 });
    if (isDown) this.held.add(found);
    else this.held.delete(found);
    this.act([...this.held].at(-1));
  }

  /** The same by a button. */
  private hold(one: Act | null): void {
    this.held.clear();
    if (one?.turn !== undefined) return this.play.say({ turn: one.turn });
    this.play.say({ turn: 0 });
    this.act(one ?? undefined);
  }

  private act(one: Act | undefined): void {
    this.play.say(one?.play === undefined ? { act: one?.act ?? "stand" } : { play: one.play });
  }

  private frame(said: Said | null): void {
    const actor = this.motion?.actors[0];
    if (!said || !actor) return;
    this.seen.push({ places: actor.positions.slice(), turns: actor.rotations.slice(), said });
    if (this.seen.length > REWIND_SECS * (this.opened?.rate_hz ?? 60)) this.seen.shift();
    if (Number(this.rewind.value) === 0) this.show(said);
    else this.look();
  }

  /** Shows a moment of the last half minute, while it goes on. */
  private look(): void {
    const actor = this.motion?.actors[0];
    const ago = -Number(this.rewind.value);
    this.back.querySelector("output")!.value = ago === 0 ? "live" : `${ago.toFixed(1)} s ago`;
    const moment = this.seen[Math.max(Math.round(this.seen.length - 1 - ago * (this.opened?.rate_hz ?? 60)), 0)];
    if (!actor || !moment) return;
    actor.positions.set(moment.places);
    actor.rotations.set(moment.turns);
    this.show(moment.said);
  }

  private show(said: Said): void {
    const { stage } = this.app;
    stage.scenery.act(said, said.holds, this.showsMarks);
    stage.set(0);
    const held = said.holds.map((name, limb) => name && `${LIMBS[limb]}: ${name}`).filter((word) => word);
    const facts: [string, string][] = [
      ["performer", said.acts || (this.isLive ? "live" : "recorded")],
      ["meant", this.meant(said.imitates)],
      ["holds", held.length > 0 ? held.join(", ") : said.water ? `in ${said.water}` : "nothing"],
      ["finish", said.finished ? "reached" : `${this.ahead(said)} m ahead`],
      ["speed", `${Math.hypot(...said.velocity).toFixed(1)} m/s`],
      ["pressed", `${(Math.hypot(...said.pressed) / 9.81).toFixed(1)} g`],
    ];
    fill(this.state, ...facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
    this.element.dataset["z"] = said.centre[2].toFixed(2);
    for (const one of this.keys.querySelectorAll<HTMLElement>("[data-act]")) one.setAttribute("aria-pressed", String(one.dataset["act"] === said.acts));
  }

  /** How far the finish is, in metres. */
  private ahead({ centre }: Said): string {
    const finish = this.opened?.world.finish;
    return finish ? Math.hypot(finish.at[0] - centre[0], finish.at[2] - centre[2]).toFixed(1) : "?";
  }

  /** What is imitated, and where. */
  private meant(name: string | null): string {
    const feature = this.opened?.world.features.find((one) => one.name === name);
    return feature?.motion ? `${feature.motion}, ${feature.name}` : "nothing known";
  }

  private count(): void {
    const hz = this.play.rateHz();
    if (this.opened) this.said.textContent = `${hz} frames a second, ${this.element.dataset["z"] ?? "0"} m along the course.`;
  }
}

const SPELLED: Record<string, string> = { ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→" };
