// Uneven ground as a slab with its profile along +Z. Parts without footing and unreachable parts are painted on it.
import { BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial, MeshStandardMaterial } from "three";
import type { Piece } from "../api.ts";

/** Half the width of the slab, and its depth below the lowest point, in metres. */
const HALF_M = 0.55;
const DOWN_M = 0.25;
/** Height of painted marks above the ground, in metres. */
const ABOVE_M = 0.004;

/** Colours of parts without footing and of unreachable parts; they also differ in width. */
export const NO_FOOTING = "#e9c46a";
export const UNREACHABLE = "#d1495b";

type Span = [number, number];

export class Ground {
  readonly group = new Group();
  private pieces: Piece[] = [];
  private readonly slab = new Mesh(new BufferGeometry(), new MeshStandardMaterial({ color: "#66736a", emissive: "#1c221e", roughness: 0.9, side: DoubleSide }));
  private readonly noFooting = paint(NO_FOOTING, 0.9);
  private readonly unreachable = paint(UNREACHABLE, 0.6);
  private readonly landings = paint("#f4f1de", 0.9);

  constructor() {
    this.slab.receiveShadow = true;
    this.slab.castShadow = true;
    this.group.add(this.slab, this.unreachable, this.noFooting, this.landings);
    this.group.visible = false;
  }

  /** Height of the floor below the slab, in metres; 0 without ground. */
  get baseM(): number {
    return this.pieces.length > 0 ? Math.min(...this.pieces.flat().map(([, up]) => up), 0) - DOWN_M : 0;
  }

  /** Shows ground and removes all marks. */
  set(pieces: Piece[]): void {
    this.pieces = pieces;
    this.group.visible = pieces.length > 0;
    const corners: number[] = [];
    const base = this.baseM;
    for (const piece of pieces) {
      for (let index = 1; index < piece.length; index++) {
        const [a, b] = [piece[index - 1]!, piece[index]!];
        quad(corners, [-HALF_M, a[1], a[0]], [-HALF_M, b[1], b[0]], [HALF_M, b[1], b[0]], [HALF_M, a[1], a[0]]);
        for (const side of [-HALF_M, HALF_M]) quad(corners, [side, a[1], a[0]], [side, b[1], b[0]], [side, base, b[0]], [side, base, a[0]]);
      }
      for (const end of [piece[0]!, piece.at(-1)!]) quad(corners, [-HALF_M, end[1], end[0]], [HALF_M, end[1], end[0]], [HALF_M, base, end[0]], [-HALF_M, base, end[0]]);
    }
    shape(this.slab, corners);
    this.mark([], []);
    this.land([]);
  }

  /** Marks parts without footing and unreachable parts. */
  mark(noFooting: Span[], unreachable: Span[]): void {
    shape(this.noFooting, noFooting.flatMap((span) => this.strip(span, 0.22)));
    shape(this.unreachable, unreachable.flatMap((span) => this.strip(span, HALF_M)));
  }

  /** Marks landings: distance, height and slope. */
  land(positions: [number, number, number][]): void {
    const corners: number[] = [];
    for (const [along, up, slope] of positions) {
      const [dz, dy] = [0.045 * Math.cos(slope), 0.045 * Math.sin(slope)];
      quad(corners, [-0.12, up - dy + ABOVE_M, along - dz], [-0.12, up + dy + ABOVE_M, along + dz], [0.12, up + dy + ABOVE_M, along + dz], [0.12, up - dy + ABOVE_M, along - dz]);
    }
    shape(this.landings, corners);
  }

  /** The top of the ground over a span, as corners of triangles. */
  private strip([from, to]: Span, half: number): number[] {
    const corners: number[] = [];
    for (const piece of this.pieces) {
      for (let index = 1; index < piece.length; index++) {
        const [[a, low], [b, high]] = [piece[index - 1]!, piece[index]!];
        const [start, end] = [Math.max(a, from), Math.min(b, to)];
        if (end <= start) continue;
        const up = (along: number) => low + ((along - a) / (b - a)) * (high - low) + ABOVE_M;
        quad(corners, [-half, up(start), start], [-half, up(end), end], [half, up(end), end], [half, up(start), start]);
      }
    }
    return corners;
  }
}

type Corner = [number, number, number];

function quad(into: number[], a: Corner, b: Corner, c: Corner, d: Corner): void {
  into.push(...a, ...b, ...c, ...a, ...c, ...d);
}

function shape(mesh: Mesh, corners: number[]): void {
  mesh.geometry.dispose();
  mesh.geometry = new BufferGeometry();
  mesh.geometry.setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
  mesh.geometry.computeVertexNormals();
  mesh.visible = corners.length > 0;
}

function paint(colour: string, opacity: number): Mesh {
  const mesh = new Mesh(new BufferGeometry(), new MeshBasicMaterial({ color: colour, transparent: true, opacity, side: DoubleSide, depthWrite: false }));
  mesh.renderOrder = 2;
  return mesh;
}
