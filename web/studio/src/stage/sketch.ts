// What is drawn on the floor: a path, and the ghost that goes along an old one.
import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, LineLoop, Mesh, MeshBasicMaterial, RingGeometry } from "three";

const MOST = 20_000;

/** A line on the floor, that grows while it is drawn. */
export class Sketch {
  readonly group = new Group();
  /** Whether somebody is drawing. */
  isOpen = false;
  private readonly places = new BufferAttribute(new Float32Array(3 * MOST), 3);
  private readonly line: Line;
  private readonly start: Mesh;
  private readonly pace: LineLoop;

  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.places);
    geometry.setDrawRange(0, 0);
    this.line = new Line(geometry, new LineBasicMaterial({ color: "#ffd166", linewidth: 2 }));
    this.line.frustumCulled = false;
    this.start = new Mesh(new RingGeometry(0.08, 0.13, 32), new MeshBasicMaterial({ color: "#ffd166" }));
    this.start.rotation.x = -Math.PI / 2;
    this.start.visible = false;
    const ring = new BufferGeometry();
    const corners = Array.from({ length: 40 }, (_, i) => (i / 40) * 2 * Math.PI);
    ring.setAttribute("position", new BufferAttribute(new Float32Array(corners.flatMap((a) => [Math.cos(a), 0, Math.sin(a)])), 3));
    this.pace = new LineLoop(ring, new LineBasicMaterial({ color: "#9fe0c4" }));
    this.pace.scale.setScalar(0.22);
    this.pace.visible = false;
    this.group.add(this.line, this.start, this.pace);
    this.group.position.y = 0.012;
  }

  /** Shows a path. */
  set(points: [number, number][]): void {
    points.slice(0, MOST).forEach(([x, z], index) => this.places.setXYZ(index, x, 0, z));
    this.places.needsUpdate = true;
    this.line.geometry.setDrawRange(0, Math.min(points.length, MOST));
    const first = points[0];
    this.start.visible = first !== undefined;
    if (first) this.start.position.set(first[0], 0, first[1]);
  }

  /** Shows where somebody who walks would be; hidden where nobody does. */
  setPace(at: [number, number] | null): void {
    this.pace.visible = at !== null;
    if (at) this.pace.position.set(at[0], 0, at[1]);
  }
}
