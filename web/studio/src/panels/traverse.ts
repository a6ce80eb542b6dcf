// Traverse: ground is edited point by point, and somebody crosses it.
import { type Piece, type Told, send } from "../api.ts";
import type { App } from "../app.ts";
import { button, chooser, fill, h, slider, swatch, tick } from "../dom.ts";
import { UNREACHED, UNSTEADY } from "../stage/ground.ts";
import { Handles } from "../stage/handles.ts";
import { type At, COURSES, added, addedAfter, cut, moved, removed } from "./terrain.ts";

/** How long nothing is changed before the server is asked what can be reached. */
const PAUSE_MS = 120;
/** How many grounds can be gone back to. */
const MOST_UNDO = 100;

interface Looked {
  unsteady: [number, number][];
  unreached: [number, number][];
  fault: Told | null;
}

export class Traverse {
  readonly element: HTMLElement;
  readonly handles: Handles;
  private readonly app: App;
  private pieces: Piece[] = COURSES["lamp"]!.pieces;
  private past: Piece[][] = [];
  private chosen: At = { piece: 0, point: 0 };
  private isOpen = false;
  /** Whether a person chose who crosses. */
  private isChosen = false;
  private hasCrossed = false;
  private isCrossing = false;
  private isWanted = false;
  private asked = 0;
  private pause: ReturnType<typeof setTimeout> | undefined;
  private readonly wish = { length: "", height: "", lookahead: 4, seed: 0, again: true };
  private readonly who = chooser("Who crosses", [], () => {
    this.isChosen = true;
    this.changed();
  });
  private readonly course: HTMLSelectElement;
  private readonly said = h("div", { class: "said", role: "status" });
  private readonly point = h("p", { class: "dim" });

  constructor(app: App) {
    this.app = app;
    this.course = chooser("Ground", [["", "own ground"], ...Object.entries(COURSES).map(([name, { word }]): [string, string] => [name, word])], (name) => {
      const pieces = COURSES[name]?.pieces;
      if (!pieces) return;
      this.edit(pieces);
      this.chosen = { piece: 0, point: 0 };
      this.look();
      this.done();
    });
    this.course.value = "lamp";
    this.handles = new Handles(
      {
        choose: (index) => {
          this.chosen = this.atOf(index);
          this.tell();
        },
        move: (index, along, up) => this.edit(moved(this.pieces, this.atOf(index), along, up), true),
        done: () => this.done(),
        key: (index, key) => this.key(index, key),
      },
      (event) => app.stage.profileAt(event),
    );
    app.stage.canvas.addEventListener("dblclick", (event) => {
      const at = this.isOpen ? app.stage.profileAt(event) : null;
      if (at) this.put(added(this.pieces, at.along, at.up));
    });
    app.stage.onDraw(() => this.lay());
    const preference = (name: "length" | "height", words: [string, string][]) =>
      chooser(name === "length" ? "How long hops are" : "How high hops are", words, (value) => {
        this.wish[name] = value;
        this.done();
      });
    const ahead = slider("Look ahead", "hops", { min: 0, max: 8, step: 1, value: this.wish.lookahead }, (value) => (this.wish.lookahead = value));
    ahead.addEventListener("change", () => this.done());
    this.element = h(
      "section",
      { class: "panel traverse", aria: { label: "Traverse" } },
      h("h2", {}, "Cross uneven ground"),
      h("p", { class: "dim" }, "Drag the points on the stage, or move them with the arrow keys. A double click on the ground adds one."),
      h("label", { class: "row" }, h("span", {}, "Who"), this.who),
      h("label", { class: "row" }, h("span", {}, "Ground"), this.course),
      h("div", { class: "row wrap", role: "toolbar", aria: { label: "Points" } },
        button("+ point", "Add a point after the chosen one (Enter on a point)", () => this.put(addedAfter(this.pieces, this.chosen))),
        button("− point", "Delete the chosen point (Delete on a point)", () => this.drop(), { aria: { label: "Delete the point" } }),
        button("gap", "Cut a gap after the chosen point, or close it (C on a point)", () => this.gap()),
        button("↶", "Undo (Ctrl + Z)", () => this.undo(), { aria: { label: "Undo a change of the ground" } }),
      ),
      this.point,
      h("p", { class: "legend dim" }, swatch(UNREACHED), "not reached ", swatch(UNSTEADY), "nobody stands here"),
      h("div", { class: "row" }, preference("length", [["", "any length"], ["low", "short"], ["high", "long"]]), preference("height", [["", "any height"], ["low", "low"], ["high", "high"]])),
      ahead,
      tick("cross again after each change", "Otherwise by the button", true, (on) => (this.wish.again = on)),
      h("div", { class: "row" },
        button("Cross", "Let somebody cross this ground", () => this.cross(), { class: "primary", id: "cross" }),
        button("Another way", "Among hops that are about as good, take others", () => {
          this.wish.seed += 1;
          this.cross();
        }),
        button("See all", "Look at the whole ground from the side", () => this.frame()),
      ),
      this.said,
    );
    app.on("takes", () => this.build());
    app.on("shown", () => this.show());
  }

  /** The panel is chosen: the ground is on the stage, with its points. */
  enter(): void {
    this.isOpen = true;
    this.handles.element.hidden = false;
    this.app.stage.follows = false;
    this.app.stage.isSplit = false;
    this.show();
    this.frame();
    this.look();
    if (!this.hasCrossed && this.who.value !== "") this.cross();
  }

  leave(): void {
    this.isOpen = false;
    this.handles.element.hidden = true;
    this.app.stage.follows = true;
    this.show();
  }

  /** Takes the last change back. */
  undo(): void {
    const before = this.past.pop();
    if (!before) return;
    this.pieces = before;
    this.show();
    this.look();
    this.done();
  }

  private build(): void {
    const alone = this.app.takes.filter(({ actors, speed_mps }) => actors.length === 1 && (speed_mps === null || speed_mps > 0.1));
    // Those that hop come first: they are at home here.
    const hops = (name: string) => Number(!/luxo|lamp|hop/i.test(name));
    const sorted = alone.toSorted((a, b) => hops(a.name) - hops(b.name));
    const chosen = this.who.value;
    const first = sorted.find(({ name }) => name === "luxo-2") ?? sorted[0];
    fill(this.who, ...sorted.map(({ id, name }) => h("option", { value: id }, name)));
    this.who.value = this.isChosen && sorted.some(({ id }) => id === chosen) ? chosen : (first?.id ?? "");
    if (this.isOpen && !this.isChosen && this.who.value !== chosen) this.changed();
  }

  /** Ground is that of what is on the stage, or the one that is edited. */
  private show(): void {
    const { stage, lead } = this.app;
    const made = lead?.about.shows?.ground;
    const isOurs = made && JSON.stringify(made.pieces) === JSON.stringify(this.pieces);
    stage.ground.set(this.isOpen ? this.pieces : (made?.pieces ?? []));
    if (made && (isOurs || !this.isOpen)) stage.ground.land(made.landings.map(([, along, up, slope]) => [along, up, slope]));
    this.handles.set(this.isOpen ? this.pieces.flatMap((points, piece) => points.map(([along, up], point) => ({ label: `Piece ${piece + 1}, point ${point + 1}`, along, up }))) : []);
    this.tell();
    stage.wake();
  }

  private frame(): void {
    const along = this.pieces.flat().map(([at]) => at);
    this.app.stage.lookAside(Math.min(...along), Math.max(...along));
  }

  private lay(): void {
    if (!this.isOpen) return;
    const { left, top } = this.app.stage.canvas.getBoundingClientRect();
    this.handles.lay((along, up) => {
      const { x, y } = this.app.stage.pageAt(0, along, up);
      return { x: x - left, y: y - top };
    });
  }

  private atOf(index: number): At {
    let left = index;
    for (const [piece, points] of this.pieces.entries()) {
      if (left < points.length) return { piece, point: left };
      left -= points.length;
    }
    return { piece: 0, point: 0 };
  }

  private indexOf({ piece, point }: At): number {
    return this.pieces.slice(0, piece).reduce((sum, points) => sum + points.length, 0) + point;
  }

  private key(index: number, key: string): boolean {
    this.chosen = this.atOf(index);
    if (key === "Enter" || key === "Insert") this.put(addedAfter(this.pieces, this.chosen));
    else if (key === "Delete" || key === "Backspace") this.drop();
    else if (key === "c") this.gap();
    else return false;
    return true;
  }

  /** Other ground. While a point is dragged, all of it is one change. */
  private edit(pieces: Piece[], isDragged = false): void {
    if (pieces === this.pieces) return;
    if (!isDragged || this.isFresh) this.past = [...this.past, this.pieces].slice(-MOST_UNDO);
    this.isFresh = !isDragged;
    this.pieces = pieces;
    this.course.value = "";
    this.show();
    this.look();
  }

  /** Whether the next drag is a change of its own. */
  private isFresh = true;

  private put(made: { pieces: Piece[]; at: At } | null): void {
    if (!made) return;
    this.edit(made.pieces);
    this.chosen = made.at;
    this.handles.focus(this.indexOf(made.at));
    this.done();
  }

  private drop(): void {
    const index = this.indexOf(this.chosen);
    this.edit(removed(this.pieces, this.chosen));
    const left = this.pieces.flat().length;
    this.chosen = this.atOf(Math.min(index, left - 1));
    this.handles.focus(Math.min(index, left - 1));
    this.done();
  }

  private gap(): void {
    this.edit(cut(this.pieces, this.chosen));
    this.done();
  }

  private tell(): void {
    const at = this.pieces[this.chosen.piece]?.[this.chosen.point];
    this.point.textContent = at ? `Chosen: ${at[0].toFixed(2)} m along, ${at[1].toFixed(2)} m up` : "";
  }

  /** Another figure, or another wish. */
  private changed(): void {
    this.look();
    this.done();
  }

  /** A change is complete. */
  private done(): void {
    this.isFresh = true;
    if (this.wish.again) this.cross();
  }

  private get asking() {
    const { length, height, lookahead, seed } = this.wish;
    return { pieces: this.pieces, take: this.who.value, length: length || null, height: height || null, lookahead, seed };
  }

  /** Asks where nobody stands or comes to, once nothing was changed for a moment. */
  private look(): void {
    clearTimeout(this.pause);
    const number = ++this.asked;
    this.pause = setTimeout(() => {
      if (this.who.value === "") return;
      this.app.try(
        send<Looked>("/api/panels/traverse/look", this.asking).then(({ unsteady, unreached, fault }) => {
          if (number !== this.asked || !this.isOpen) return;
          this.app.stage.ground.mark(unsteady, unreached);
          this.app.stage.wake();
          this.judge(fault);
        }),
      );
    }, PAUSE_MS);
  }

  private judge(fault: Told | null): void {
    this.said.classList.toggle("bad", fault !== null);
    this.element.dataset["reach"] = fault ? "blocked" : "free";
    if (!fault) return fill(this.said, h("p", {}, "Every part that matters can be reached."));
    fill(this.said, h("p", {}, `${fault.message[0]?.toUpperCase()}${fault.message.slice(1)}.`), h("p", { class: "dim" }, fault.hint), h("code", {}, fault.code));
  }

  /** Lets somebody cross; once more, where the ground was changed meanwhile. */
  private cross(): void {
    if (this.who.value === "") return;
    this.isWanted = this.isCrossing;
    if (this.isCrossing) return;
    this.setCrossing(true);
    this.app.try(
      this.crossed().finally(() => {
        this.setCrossing(false);
        if (this.isWanted) this.cross();
      }),
    );
  }

  private setCrossing(on: boolean): void {
    this.isCrossing = on;
    this.element.setAttribute("aria-busy", String(on));
  }

  private async crossed(): Promise<void> {
    // What is known not to be crossed is told by the panel, without a notice for each change.
    const looked = await send<Looked>("/api/panels/traverse/look", this.asking);
    this.judge(looked.fault);
    if (looked.fault) return;
    const motions = await this.app.make("Crossing the ground", "/api/panels/traverse", this.asking);
    if (motions.length === 0) return;
    this.hasCrossed = true;
    await this.app.present(motions);
    if (this.isOpen) {
      this.frame();
      this.look();
    }
  }
}
