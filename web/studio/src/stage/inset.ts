// A separate scene in the corner of the stage: an attractor with two trajectories.
import { BufferAttribute, BufferGeometry, Color, Group, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene, SphereGeometry, Vector3 } from "three";
import type { Attractor } from "../api.ts";
import { h, swatch } from "../dom.ts";

/** Distinguishable for colour-blind users. */
export const ORIGINAL = "#5b9fe3";
export const VARIATION = "#f0a35e";
/** Length of the highlighted end of the variation, in cells. */
const TAIL_CELLS = 60;

export class Inset {
  /** The element over the inset; the stage draws beneath it. */
  readonly element: HTMLElement;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(30, 1, 0.1, 20);
  private readonly turning = new Group();
  private readonly middle = new Group();
  private readonly wake: () => void;
  private shown: Attractor | null = null;
  private readonly original = line(ORIGINAL, 0.45);
  private readonly variation = line(VARIATION, 0.2);
  private readonly tail = line(VARIATION, 1);
  private readonly originalMarker = ball(ORIGINAL);
  private readonly variationMarker = ball(VARIATION);

  constructor(wake: () => void) {
    this.wake = wake;
    this.scene.background = new Color("#12161c");
    this.camera.position.set(0, 0, 4.5);
    this.middle.add(this.original, this.variation, this.tail, this.originalMarker, this.variationMarker);
    this.turning.add(this.middle);
    this.turning.rotation.set(0.25, 0.6, 0);
    this.scene.add(this.turning);
    const legend = h("p", {}, swatch(ORIGINAL), "original ", swatch(VARIATION), "variation");
    this.element = h("div", { class: "inset", hidden: true, tabindex: 0, role: "img", title: "Drag to rotate", aria: { label: "Attractor with both trajectories; arrow keys rotate it" } }, legend);
    this.listen();
  }

  get isShown(): boolean {
    return this.shown !== null;
  }

  /** Shows an attractor, or nothing. */
  set(attractor: Attractor | null): void {
    this.shown = attractor;
    this.element.hidden = attractor === null;
    if (!attractor) return;
    points(this.original, attractor.original);
    points(this.variation, attractor.variation);
    const positions = attractor.original.map((at) => new Vector3(...at));
    const middle = positions.reduce((sum, at) => sum.add(at), new Vector3()).divideScalar(Math.max(positions.length, 1));
    const size = Math.max(...positions.map((at) => at.distanceTo(middle)), 1e-6);
    this.middle.position.copy(middle).multiplyScalar(-1.25 / size);
    this.middle.scale.setScalar(1.25 / size);
    for (const one of [this.originalMarker, this.variationMarker]) one.scale.setScalar(size / 1.25);
    this.at(0);
  }

  /** Sets the time of both trajectories. */
  at(secs: number): void {
    if (!this.shown) return;
    const { cell_secs, original, variation, played } = this.shown;
    const cell = Math.floor(secs / cell_secs);
    const now = Math.min(cell, variation.length - 1);
    points(this.tail, variation.slice(Math.max(now - TAIL_CELLS, 0), now + 1));
    this.variationMarker.position.set(...(variation[now] ?? [0, 0, 0]));
    this.originalMarker.position.set(...(original[played[Math.min(cell, played.length - 1)] ?? 0] ?? [0, 0, 0]));
  }

  private listen(): void {
    const turn = (x: number, y: number) => {
      this.turning.rotation.y += x;
      this.turning.rotation.x = Math.min(Math.max(this.turning.rotation.x + y, -1.5), 1.5);
      this.wake();
    };
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      const drag = (now: PointerEvent) => turn(now.movementX / 120, now.movementY / 120);
      this.element.addEventListener("pointermove", drag);
      this.element.addEventListener("pointerup", () => this.element.removeEventListener("pointermove", drag), { once: true });
    });
    const keys: Record<string, [number, number]> = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.15], ArrowDown: [0, 0.15] };
    this.element.addEventListener("keydown", (event) => {
      const by = keys[event.key];
      if (!by) return;
      event.preventDefault();
      turn(...by);
    });
  }
}

function line(colour: string, opacity: number): Line {
  const made = new Line(new BufferGeometry(), new LineBasicMaterial({ color: colour, transparent: true, opacity }));
  made.frustumCulled = false;
  return made;
}

function points(into: Line, positions: [number, number, number][]): void {
  into.geometry.dispose();
  into.geometry = new BufferGeometry();
  into.geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions.flat()), 3));
}

const ball = (colour: string): Mesh => new Mesh(new SphereGeometry(0.055, 20, 14), new MeshBasicMaterial({ color: colour }));
