// The cast of one motion: its figures, and what is drawn around them.
import { Box3, Group, Vector3 } from "three";
import { type Motion, jointOf } from "../motion.ts";
import { clothingColour } from "./colours.ts";
import { FootMarks } from "./foot_marks.ts";
import { Figure } from "./figure.ts";
import { CentreOfMass } from "./centre_of_mass.ts";
import { Trails } from "./trails.ts";

/** What the user has chosen to see around figures. */
export interface ViewOptions {
  ghosts: boolean;
  trails: boolean;
  feet: boolean;
  mass: boolean;
}

/** Characters that are named after a colour wear it. */
const NAMED: Record<string, string> = { red: "#e0675a", blue: "#5b9fe3" };

/** Time between ghosts, and their number before and after the current time. */
const GHOST_SECS = 0.3;
const GHOSTS = 3;

export class Cast {
  readonly group = new Group();
  readonly motion: Motion;
  readonly colours: string[];
  private readonly figures: Figure[];
  private ghosts: { figure: Figure; offset: number }[] = [];
  private trails: Trails[] = [];
  private feet: FootMarks[] = [];
  private masses: CentreOfMass[] = [];
  private readonly hips: number[];
  private options: ViewOptions = { ghosts: false, trails: false, feet: false, mass: false };

  /** `first` is the index of the first figure on the stage, which determines its colour. */
  constructor(motion: Motion, first: number) {
    this.motion = motion;
    this.colours = motion.actors.map(({ name }, index) => NAMED[name] ?? clothingColour(first + index));
    this.figures = motion.actors.map((actor, index) => new Figure(actor, this.colours[index]!));
    this.hips = motion.actors.map((actor) => Math.max(jointOf(actor, "Hips"), 0));
    this.group.position.y = -motion.floorM;
    this.group.add(...this.figures.map(({ group }) => group));
  }

  /** Sets what is drawn around the figures. Hidden parts are not computed. */
  show(options: ViewOptions): void {
    this.options = { ...options };
    const { actors, rateHz, floorM } = this.motion;
    if (options.ghosts && this.ghosts.length === 0) {
      actors.forEach((actor, index) => {
        for (let step = -GHOSTS; step <= GHOSTS; step++) {
          if (step === 0) continue;
          const figure = new Figure(actor, this.colours[index]!, 0.3 / (1 + Math.abs(step)));
          this.ghosts.push({ figure, offset: step * GHOST_SECS * rateHz });
          this.group.add(figure.group);
        }
      });
    }
    if (options.trails && this.trails.length === 0) {
      this.trails = actors.map((actor) => new Trails(actor, rateHz));
      this.group.add(...this.trails.map(({ group }) => group));
    }
    if (options.feet && this.feet.length === 0) {
      this.feet = actors.map((actor) => new FootMarks(actor, floorM, rateHz));
      this.group.add(...this.feet.map(({ mesh }) => mesh));
    }
    if (options.mass && this.masses.length === 0) {
      this.masses = actors.map((actor) => new CentreOfMass(actor));
      this.group.add(...this.masses.map(({ group }) => group));
    }
    for (const { figure } of this.ghosts) figure.group.visible = options.ghosts;
    for (const { group } of this.trails) group.visible = options.trails;
    for (const { mesh } of this.feet) mesh.visible = options.feet;
    for (const { group } of this.masses) group.visible = options.mass;
  }

  /** Poses all figures at a time. */
  set(secs: number): void {
    const { rateHz, frames, floorM } = this.motion;
    const frame = Math.min(secs * rateHz, frames - 1);
    this.figures.forEach((figure, index) => {
      figure.set(frame);
      if (this.options.mass) this.masses[index]?.set(figure.pose, floorM);
    });
    if (this.options.ghosts) {
      for (const { figure, offset } of this.ghosts) {
        const at = frame + offset;
        figure.group.visible = at >= 0 && at <= frames - 1;
        if (figure.group.visible) figure.set(at);
      }
    }
    if (this.options.trails) for (const trails of this.trails) trails.set(frame);
    if (this.options.feet) for (const feet of this.feet) feet.set(frame);
  }

  /** The mean position of the hips of all figures. */
  hipsCentre(into: Vector3): Vector3 {
    into.set(0, 0, 0);
    this.figures.forEach(({ pose }, index) => {
      const [x, y, z] = pose.positionOf(this.hips[index]!);
      into.add(new Vector3(x, y - this.motion.floorM, z));
    });
    return into.divideScalar(Math.max(this.figures.length, 1));
  }

  /** The position of the hips of one figure. */
  hipsOf(actor: number): [number, number, number] {
    const [x, y, z] = this.figures[actor]?.pose.positionOf(this.hips[actor]!) ?? [0, 0, 0];
    return [x, y - this.motion.floorM, z];
  }

  /** The diagonal of the bounding box of all figures. */
  size(): number {
    const box = new Box3();
    this.figures.forEach(({ pose }, index) => {
      this.motion.actors[index]!.joints.forEach((_, joint) => box.expandByPoint(new Vector3(...pose.positionOf(joint))));
    });
    return box.getSize(new Vector3()).length();
  }

  dispose(): void {
    this.group.removeFromParent();
    for (const figure of [...this.figures, ...this.ghosts.map(({ figure }) => figure)]) figure.dispose();
  }
}
