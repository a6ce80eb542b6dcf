// Perform: a live performance in the adventure world, controlled by keys, a recording or a socket.
import type { App } from "../app.ts";
import { checkbox, chooser, fill, h } from "../dom.ts";
import type { Motion } from "../motion.ts";
import type { Group } from "../shortcuts.ts";
import type { CharacterForces, World } from "../stage/world_view.ts";
import { Player } from "./player.ts";

interface SessionInfo {
  rate_hz: number;
  world: World;
  activities: string[];
  /** Parts of the adventure. */
  parts: string[];
}
interface FrameState extends CharacterForces {
  activity: string;
  imitates: string | null;
  water: string | null;
  holds: (string | null)[];
  finished: boolean;
}
/** A frame that can be rewound to. */
interface PastFrame {
  positions: Float32Array;
  rotations: Float32Array;
  state: FrameState;
}

/** Maximum time to rewind, in seconds. */
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
  { keys: ["1"], does: "go to the bars and cross them", play: "bars" },
  { keys: ["2"], does: "go to the rope and swing across", play: "rope" },
  { keys: ["3"], does: "go to the pole and climb down", play: "pole" },
  { keys: ["4"], does: "go to the rocks and climb up", play: "rocks" },
  { keys: ["5"], does: "go to the trampoline and bounce", play: "trampoline" },
  { keys: ["6"], does: "go to the pool and swim across", play: "breast-stroke" },
  { keys: ["7"], does: "shoot a web and swing across", play: "web" },
  { keys: ["8"], does: "walk to the finish", play: "walk" },
];

export class Perform {
  readonly element: HTMLElement;
  /** The keys, for the dialog that lists all shortcuts. */
  readonly group: Group = { name: "Perform (hold the key)", shortcuts: ACTS.map(({ keys, does }) => ({ keys, does, act: () => undefined })) };
  private readonly app: App;
  private readonly input = chooser("Performer", [["keyboard", "keyboard"]], () => this.choose());
  private readonly port = h("input", { type: "number", min: "1", max: "65535", value: "7000", aria: { label: "Port" } });
  private readonly socket = h("label", { class: "row", hidden: true, title: "Lines of JSON, as `marey perform --input tcp:` reads them" }, h("span", {}, "Local port"), this.port);
  private readonly play: Player<SessionInfo, FrameState>;
  private readonly status = h("p", { class: "dim", role: "status" });
  private readonly facts = h("dl", { class: "state", hidden: true });
  private readonly keys = h("ul", { class: "moves", hidden: true, aria: { label: "Actions of the performer" } });
  private readonly rewind = h("input", { type: "range", min: String(-REWIND_SECS), max: "0", step: "0.02", value: "0", aria: { label: "Rewind, in seconds" } });
  private readonly back = h("label", { class: "slider", hidden: true }, h("span", {}, "Rewind", h("output", {}, "live")), this.rewind);
  private readonly held = new Set<Act>();
  private opened: SessionInfo | null = null;
  private motion: Motion | null = null;
  private past: PastFrame[] = [];
  private isLive = false;
  private showsMarks = true;

  constructor(app: App) {
    this.app = app;
    this.play = new Player(app, "Perform", "Start the performance", "perform", {
      panel: "perform",
      preparing: "Preparing the performance",
      message: () => this.message,
      opened: (about, motion) => this.open(about, motion),
      frame: (_, state) => this.frame(state),
      ended: () => this.ended(),
    });
    this.rewind.addEventListener("input", () => this.showPast());
    this.element = h(
      "section",
      { class: "panel perform", aria: { label: "Perform" } },
      h("h2", {}, "Perform in a world"),
      h("p", { class: "dim intro" }, "A performer acts out swinging, climbing or swimming in an empty room; the character does it in a physical world. Control the performer with keys, or play a recording."),
      h("label", { class: "row" }, h("span", {}, "Performer"), this.input),
      this.socket,
      this.play.button,
      this.status,
      checkbox("Show holds, forces and velocity", "Draws holds and contact forces in orange, the velocity in green", true, (on) => {
        this.showsMarks = on;
        this.showPast();
      }),
      this.facts,
      this.back,
      this.keys,
    );
    app.on("takes", () => {
      const chosen = this.input.value;
      const performers = app.takes.filter(({ actors }) => actors.length === 1).toSorted((a, b) => Number(!/perform/i.test(a.name)) - Number(!/perform/i.test(b.name)));
      fill(this.input, h("option", { value: "keyboard" }, "keyboard"), h("option", { value: "port" }, "live socket"), ...performers.map(({ id, name }) => h("option", { value: id }, `recorded: ${name}`)));
      this.input.value = chosen === "port" || performers.some(({ id }) => id === chosen) ? chosen : "keyboard";
    });
    app.on("shown", () => {
      if (!this.play.isOn) app.stage.worldView.set(app.lead?.about.overlay?.world ?? null);
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

  private get message(): unknown {
    const chosen = this.input.value;
    this.isLive = chosen === "port";
    return chosen === "keyboard" ? chosen : this.isLive ? { port: Number(this.port.value) } : { take: chosen };
  }

  private open(about: SessionInfo, motion: Motion): void {
    this.opened = about;
    this.motion = motion;
    this.past = [];
    this.app.stage.worldView.set(about.world);
    this.app.stage.viewFromBehind();
    this.list();
  }

  private ended(): void {
    this.opened = null;
    this.motion = null;
    this.held.clear();
    for (const one of [this.keys, this.facts, this.back]) one.hidden = true;
    this.status.textContent = "";
    this.element.classList.remove("busy");
  }

  private list(): void {
    const { activities, parts } = this.opened!;
    const known = ACTS.filter(({ act, play }) => (act === undefined || activities.includes(act)) && (play === undefined || parts.includes(play)));
    this.keys.hidden = this.opened!.activities.length === 0;
    this.facts.hidden = false;
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
        const element = h("button", { type: "button", title: play === undefined ? `Hold to ${does}` : "Hold the key; the performer reacts to the character", data: { act: name } }, h("kbd", {}, KEY_LABELS[keys[0]!] ?? keys[0]!.toUpperCase()), ` ${does}`);
        element.addEventListener("pointerdown", (event) => {
          element.setPointerCapture(event.pointerId);
          press(event, one);
          for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, (last) => press(last, null), { once: true });
        });
        return h("li", {}, element);
      }),
    );
  }

  /** Handles keys during a performance, before all other shortcuts. */
  private key(event: KeyboardEvent, isDown: boolean): void {
    if (!this.opened || this.opened.activities.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as HTMLElement).closest?.("input, select, textarea, dialog[open]")) return;
    const found = ACTS.find(({ keys }) => keys.includes(event.key));
    if (!found) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    if (found.turn !== undefined) return this.play.send({ turn: isDown ? found.turn : 0 });
    if (isDown) this.held.add(found);
    else this.held.delete(found);
    this.act([...this.held].at(-1));
  }

  /** Handles the buttons of the actions. */
  private hold(one: Act | null): void {
    this.held.clear();
    if (one?.turn !== undefined) return this.play.send({ turn: one.turn });
    this.play.send({ turn: 0 });
    this.act(one ?? undefined);
  }

  private act(one: Act | undefined): void {
    this.play.send(one?.play === undefined ? { act: one?.act ?? "stand" } : { play: one.play });
  }

  private frame(state: FrameState | null): void {
    const actor = this.motion?.actors[0];
    if (!state || !actor) return;
    this.past.push({ positions: actor.positions.slice(), rotations: actor.rotations.slice(), state });
    if (this.past.length > REWIND_SECS * (this.opened?.rate_hz ?? 60)) this.past.shift();
    if (Number(this.rewind.value) === 0) this.show(state);
    else this.showPast();
  }

  /** Shows an earlier frame, while the session continues. */
  private showPast(): void {
    const actor = this.motion?.actors[0];
    const ago = -Number(this.rewind.value);
    this.back.querySelector("output")!.value = ago === 0 ? "live" : `${ago.toFixed(1)} s ago`;
    const moment = this.past[Math.max(Math.round(this.past.length - 1 - ago * (this.opened?.rate_hz ?? 60)), 0)];
    if (!actor || !moment) return;
    actor.positions.set(moment.positions);
    actor.rotations.set(moment.rotations);
    this.show(moment.state);
  }

  private show(state: FrameState): void {
    const { stage } = this.app;
    stage.worldView.update(state, state.holds, this.showsMarks);
    stage.set(0);
    const held = state.holds.map((name, limb) => name && `${LIMBS[limb]}: ${name}`).filter((word) => word);
    const rows: [string, string][] = [
      ["performer", state.activity || (this.isLive ? "live" : "recorded")],
      ["imitates", this.imitation(state.imitates)],
      ["holds", held.length > 0 ? held.join(", ") : state.water ? `in ${state.water}` : "nothing"],
      ["finish", state.finished ? "reached" : `${this.ahead(state)} m ahead`],
      ["speed", `${Math.hypot(...state.velocity).toFixed(1)} m/s`],
      ["contact force", `${(Math.hypot(...state.contact_force) / 9.81).toFixed(1)} g`],
    ];
    fill(this.facts, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
    this.element.dataset["z"] = state.centre[2].toFixed(2);
    for (const one of this.keys.querySelectorAll<HTMLElement>("[data-act]")) one.setAttribute("aria-pressed", String(one.dataset["act"] === state.activity));
  }

  /** Distance to the finish, in metres. */
  private ahead({ centre }: FrameState): string {
    const finish = this.opened?.world.finish;
    return finish ? Math.hypot(finish.at[0] - centre[0], finish.at[2] - centre[2]).toFixed(1) : "?";
  }

  /** The imitated example and its feature. */
  private imitation(name: string | null): string {
    const feature = this.opened?.world.features.find((one) => one.name === name);
    return feature?.motion ? `${feature.motion}, ${feature.name}` : "nothing";
  }

  private count(): void {
    const hz = this.play.rateHz();
    if (this.opened) this.status.textContent = `${hz} frames per second, ${this.element.dataset["z"] ?? "0"} m along the course.`;
  }
}

const KEY_LABELS: Record<string, string> = { ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→" };
