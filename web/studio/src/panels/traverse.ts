// Traverse: motion over a terrain that the user edits point by point.
import { type Piece, type Problem, postJson } from "../api.ts";
import type { App } from "../app.ts";
import { button, checkbox, chooser, fill, h, slider, swatch } from "../dom.ts";
import { UNREACHABLE, NO_FOOTING } from "../stage/ground.ts";
import { Handles } from "../stage/handles.ts";
import { type At, COURSES, added, addedAfter, cut, moved, removed } from "./terrain.ts";

/** Pause after a change before the preview is requested. */
const PAUSE_MS = 120;
/** Maximum number of changes that can be undone. */
const MAX_UNDO = 100;

interface TerrainPreview {
  no_footing: [number, number][];
  unreachable: [number, number][];
  error: Problem | null;
}

export class Traverse {
  readonly element: HTMLElement;
  readonly handles: Handles;
  private readonly app: App;
  private pieces: Piece[] = COURSES["lamp"]!.pieces;
  private past: Piece[][] = [];
  private chosen: At = { piece: 0, point: 0 };
  private isOpen = false;
  /** Whether the user selected the character. */
  private isChosen = false;
  private hasCrossed = false;
  private isCrossing = false;
  private isCrossingAgain = false;
  private requested = 0;
  private pause: ReturnType<typeof setTimeout> | undefined;
  private readonly settings = { length: "", height: "", lookahead: 4, seed: 0, again: true };
  private readonly character = chooser("Character", [], () => {
    this.isChosen = true;
    this.changed();
  });
  private readonly course: HTMLSelectElement;
  private readonly status = h("div", { class: "status", role: "status" });
  private readonly point = h("p", { class: "dim" });

  constructor(app: App) {
    this.app = app;
    this.course = chooser("Ground", [["", "custom"], ...Object.entries(COURSES).map(([name, { label }]): [string, string] => [name, label])], (name) => {
      const pieces = COURSES[name]?.pieces;
      if (!pieces) return;
      this.edit(pieces);
      this.chosen = { piece: 0, point: 0 };
      this.requestPreview();
      this.done();
    });
    this.course.value = "lamp";
    this.handles = new Handles(
      {
        choose: (index) => {
          this.chosen = this.atOf(index);
          this.describePoint();
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
    app.stage.onDraw(() => this.placeHandles());
    const preference = (name: "length" | "height", options: [string, string][]) =>
      chooser(name === "length" ? "Hop length" : "Hop height", options, (value) => {
        this.settings[name] = value;
        this.done();
      });
    const ahead = slider("Look ahead", "hops", { min: 0, max: 8, step: 1, value: this.settings.lookahead }, (value) => (this.settings.lookahead = value));
    ahead.addEventListener("change", () => this.done());
    this.element = h(
      "section",
      { class: "panel traverse", aria: { label: "Traverse" } },
      h("h2", {}, "Cross uneven ground"),
      h("p", { class: "dim" }, "Drag the points on the stage, or move them with the arrow keys. Double-click the ground to add one."),
      h("label", { class: "row" }, h("span", {}, "Character"), this.character),
      h("label", { class: "row" }, h("span", {}, "Ground"), this.course),
      h("div", { class: "row wrap", role: "toolbar", aria: { label: "Points" } },
        button("+ point", "Add a point after the selected one (Enter on a point)", () => this.put(addedAfter(this.pieces, this.chosen))),
        button("− point", "Delete the selected point (Delete on a point)", () => this.drop(), { aria: { label: "Delete the point" } }),
        button("gap", "Cut a gap after the selected point, or close it (C on a point)", () => this.gap()),
        button("↶", "Undo (Ctrl + Z)", () => this.undo(), { aria: { label: "Undo the last change of the ground" } }),
      ),
      this.point,
      h("p", { class: "legend dim" }, swatch(UNREACHABLE), "unreachable ", swatch(NO_FOOTING), "no footing"),
      h("div", { class: "row" }, preference("length", [["", "any length"], ["low", "short"], ["high", "long"]]), preference("height", [["", "any height"], ["low", "low"], ["high", "high"]])),
      ahead,
      checkbox("Update after each change", "If this is off, press Cross to update", true, (on) => (this.settings.again = on)),
      h("div", { class: "row" },
        button("Cross", "Generate motion over this ground", () => this.cross(), { class: "primary", id: "cross" }),
        button("Variation", "Choose other hops of similar quality", () => {
          this.settings.seed += 1;
          this.cross();
        }),
        button("Show all", "View the whole ground from the side", () => this.frame()),
      ),
      this.status,
    );
    app.on("takes", () => this.build());
    app.on("shown", () => this.show());
  }

  /** Shows the terrain and its points on the stage. */
  enter(): void {
    this.isOpen = true;
    this.handles.element.hidden = false;
    this.app.stage.follows = false;
    this.app.stage.isSplit = false;
    this.show();
    this.frame();
    this.requestPreview();
    if (!this.hasCrossed && this.character.value !== "") this.cross();
  }

  leave(): void {
    this.isOpen = false;
    this.handles.element.hidden = true;
    this.app.stage.follows = true;
    this.show();
  }

  /** Undoes the last change. */
  undo(): void {
    const before = this.past.pop();
    if (!before) return;
    this.pieces = before;
    this.show();
    this.requestPreview();
    this.done();
  }

  private build(): void {
    const solos = this.app.takes.filter(({ actors, speed_mps }) => actors.length === 1 && (speed_mps === null || speed_mps > 0.1));
    // Hopping characters come first.
    const hops = (name: string) => Number(!/luxo|lamp|hop/i.test(name));
    const sorted = solos.toSorted((a, b) => hops(a.name) - hops(b.name));
    const chosen = this.character.value;
    const first = sorted.find(({ name }) => name === "luxo-2") ?? sorted[0];
    fill(this.character, ...sorted.map(({ id, name }) => h("option", { value: id }, name)));
    this.character.value = this.isChosen && sorted.some(({ id }) => id === chosen) ? chosen : (first?.id ?? "");
    if (this.isOpen && !this.isChosen && this.character.value !== chosen) this.changed();
  }

  /** Shows the edited terrain, or that of the result on the stage. */
  private show(): void {
    const { stage, lead } = this.app;
    const made = lead?.about.overlay?.ground;
    const isOurs = made && JSON.stringify(made.pieces) === JSON.stringify(this.pieces);
    stage.ground.set(this.isOpen ? this.pieces : (made?.pieces ?? []));
    if (made && (isOurs || !this.isOpen)) stage.ground.land(made.landings.map(([, along, up, slope]) => [along, up, slope]));
    this.handles.set(this.isOpen ? this.pieces.flatMap((points, piece) => points.map(([along, up], point) => ({ label: `Piece ${piece + 1}, point ${point + 1}`, along, up }))) : []);
    this.describePoint();
    stage.wake();
  }

  private frame(): void {
    const along = this.pieces.flat().map(([at]) => at);
    this.app.stage.viewFromSide(Math.min(...along), Math.max(...along));
  }

  private placeHandles(): void {
    if (!this.isOpen) return;
    const { left, top } = this.app.stage.canvas.getBoundingClientRect();
    this.handles.arrange((along, up) => {
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

  /** Replaces the terrain. Dragging a point is one change. */
  private edit(pieces: Piece[], isDragged = false): void {
    if (pieces === this.pieces) return;
    if (!isDragged || this.isNewChange) this.past = [...this.past, this.pieces].slice(-MAX_UNDO);
    this.isNewChange = !isDragged;
    this.pieces = pieces;
    this.course.value = "";
    this.show();
    this.requestPreview();
  }

  /** Whether the next drag is a new change. */
  private isNewChange = true;

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

  private describePoint(): void {
    const at = this.pieces[this.chosen.piece]?.[this.chosen.point];
    this.point.textContent = at ? `Selected: ${at[0].toFixed(2)} m along, ${at[1].toFixed(2)} m up` : "";
  }

  /** The character or a setting has changed. */
  private changed(): void {
    this.requestPreview();
    this.done();
  }

  /** A change is complete. */
  private done(): void {
    this.isNewChange = true;
    if (this.settings.again) this.cross();
  }

  private get request() {
    const { length, height, lookahead, seed } = this.settings;
    return { pieces: this.pieces, take: this.character.value, length: length || null, height: height || null, lookahead, seed };
  }

  /** Requests the preview after a short pause. */
  private requestPreview(): void {
    clearTimeout(this.pause);
    const number = ++this.requested;
    this.pause = setTimeout(() => {
      if (this.character.value === "") return;
      this.app.try(
        postJson<TerrainPreview>("/api/panels/traverse/preview", this.request).then(({ no_footing, unreachable, error }) => {
          if (number !== this.requested || !this.isOpen) return;
          this.app.stage.ground.mark(no_footing, unreachable);
          this.app.stage.wake();
          this.showProblem(error);
        }),
      );
    }, PAUSE_MS);
  }

  private showProblem(problem: Problem | null): void {
    this.status.classList.toggle("bad", problem !== null);
    this.element.dataset["reach"] = problem ? "blocked" : "free";
    if (!problem) return fill(this.status, h("p", {}, "The character can cross the ground."));
    fill(this.status, h("p", {}, `${problem.message[0]?.toUpperCase()}${problem.message.slice(1)}.`), h("p", { class: "dim" }, problem.hint), h("code", {}, problem.code));
  }

  /** Generates motion; again, if the terrain has changed meanwhile. */
  private cross(): void {
    if (this.character.value === "") return;
    this.isCrossingAgain = this.isCrossing;
    if (this.isCrossing) return;
    this.setCrossing(true);
    this.app.try(
      this.crossed().finally(() => {
        this.setCrossing(false);
        if (this.isCrossingAgain) this.cross();
      }),
    );
  }

  private setCrossing(on: boolean): void {
    this.isCrossing = on;
    this.element.setAttribute("aria-busy", String(on));
  }

  private async crossed(): Promise<void> {
    // The panel itself shows that a terrain cannot be crossed, without a notice for each change.
    const preview = await postJson<TerrainPreview>("/api/panels/traverse/preview", this.request);
    this.showProblem(preview.error);
    if (preview.error) return;
    const motions = await this.app.make("Crossing the ground", "/api/panels/traverse", this.request);
    if (motions.length === 0) return;
    this.hasCrossed = true;
    await this.app.present(motions);
    if (this.isOpen) {
      this.frame();
      this.requestPreview();
    }
  }
}
