// Drawings on the floor: a path, and a ring that moves along it.
import { BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial, RingGeometry } from "three";

const MAX_POINTS = 20_000;
/** Width of the line, in metres. */
const WIDTH_M = 0.035;

/** A line on the floor that grows while it is drawn. */
export class Sketch {
  readonly group = new Group();
  /** Whether the user is drawing. */
  isOpen = false;
  private readonly positions = new BufferAttribute(new Float32Array(6 * MAX_POINTS), 3);
  private readonly ribbon: Mesh;
  private readonly start = ring(0.08, 0.13, "#ffd166");
  private readonly pace = ring(0.19, 0.22, "#9fe0c4");

  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.positions);
    const corners = Array.from({ length: MAX_POINTS - 1 }, (_, i) => [2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 2, 2 * i + 1, 2 * i + 3]);
    geometry.setIndex(corners.flat());
    geometry.setDrawRange(0, 0);
    this.ribbon = new Mesh(geometry, new MeshBasicMaterial({ color: "#ffd166", side: DoubleSide, depthWrite: false }));
    this.ribbon.frustumCulled = false;
    this.group.add(this.ribbon, this.start, this.pace);
    this.group.position.y = 0.008;
  }

  /** Shows a path. */
  set(points: [number, number][]): void {
    const shown = points.slice(0, MAX_POINTS);
    shown.forEach(([x, z], index) => {
      const [ax, az] = shown[Math.max(index - 1, 0)]!;
      const [bx, bz] = shown[Math.min(index + 1, shown.length - 1)]!;
      const length = Math.max(Math.hypot(bx - ax, bz - az), 1e-6);
      const [sx, sz] = [((bz - az) / length) * (WIDTH_M / 2), ((ax - bx) / length) * (WIDTH_M / 2)];
      this.positions.setXYZ(2 * index, x + sx, 0, z + sz);
      this.positions.setXYZ(2 * index + 1, x - sx, 0, z - sz);
    });
    this.positions.needsUpdate = true;
    this.ribbon.geometry.setDrawRange(0, 6 * Math.max(shown.length - 1, 0));
    put(this.start, shown[0] ?? null);
  }

  /** Sets the position of the ring; null hides it. */
  setPace(at: [number, number] | null): void {
    put(this.pace, at);
  }
}

function ring(inner: number, outer: number, colour: string): Mesh {
  const mesh = new Mesh(new RingGeometry(inner, outer, 40), new MeshBasicMaterial({ color: colour }));
  mesh.rotation.x = -Math.PI / 2;
  mesh.visible = false;
  return mesh;
}

function put(mesh: Mesh, at: [number, number] | null): void {
  mesh.visible = at !== null;
  if (at) mesh.position.set(at[0], 0, at[1]);
}
