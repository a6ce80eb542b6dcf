// The world of a performance: floors, bars, ropes, water, rocks, and the forces on the character.
import {
  ArrowHelper,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CatmullRomCurve3,
  CylinderGeometry,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from "three";

type Point = [number, number, number];
type Geometry =
  | { plane: { at: Point; normal: Point } }
  | { box: { min: Point; max: Point } }
  | { cylinder: { from: Point; to: Point; radius_m: number } }
  | { point: { at: Point; radius_m: number } }
  | { rope: { top: Point; length_m: number; links: number; radius_m: number } };

export interface World {
  features: { name: string; template: string; geometry: Geometry; motion: string | null }[];
  finish: { at: Point; radius_m: number } | null;
}

/** The forces on the character in a frame. */
export interface CharacterForces {
  contacts: (Point | null)[];
  centre: Point;
  velocity: Point;
  /** Contact force per mass, in m/s². */
  contact_force: Point;
  ropes: Point[][];
}

const COLOURS: Record<string, string> = { floor: "#55625a", bar: "#c9ced6", pole: "#c9ced6", rope: "#c8a26a", rock: "#a0806a", trampoline: "#5b7fb8", water: "#3f7fb5", web: "#e0b04c", scenery: "#4a5058" };
/** Length of the arrow of a force of 1 g, in metres. */
const G_M = 0.5;

export class WorldView {
  readonly group = new Group();
  private readonly objects = new Group();
  private readonly marks = new Group();
  private readonly holds: Mesh[];
  private readonly force = new ArrowHelper(new Vector3(0, 1, 0), new Vector3(), 1, "#f0a35e", 0.14, 0.09);
  private readonly speed = new ArrowHelper(new Vector3(0, 1, 0), new Vector3(), 1, "#9fe0c4", 0.12, 0.07);
  private readonly middle = ball(0.045, "#ffe08a");
  private ropes: Line[] = [];
  /** Materials of features, by name; held features are highlighted. */
  private readonly named = new Map<string, MeshStandardMaterial>();

  constructor() {
    this.holds = Array.from({ length: 4 }, () => ball(0.05, "#f0a35e"));
    this.marks.add(...this.holds, this.force, this.speed, this.middle);
    this.group.add(this.objects, this.marks);
    this.group.visible = false;
  }

  get isShown(): boolean {
    return this.group.visible;
  }

  /** Height of the lowest plane, in metres. */
  bottomM = 0;

  /** Shows a world; null hides it. */
  set(world: World | null): void {
    this.group.visible = world !== null;
    this.objects.clear();
    this.named.clear();
    this.ropes = [];
    this.marks.visible = false;
    this.bottomM = Math.min(...(world?.features ?? []).map(({ geometry }) => ("plane" in geometry ? geometry.plane.at[1] : 0)), 0);
    for (const { name, template, geometry } of world?.features ?? []) {
      const object = this.objectOf(name, template, geometry);
      if (object) this.objects.add(object);
    }
    if (world?.finish) {
      const ring = new Mesh(new TorusGeometry(world.finish.radius_m, 0.05, 10, 48), new MeshBasicMaterial({ color: "#ffd166" }));
      ring.position.set(...world.finish.at);
      this.objects.add(ring);
    }
  }

  /** Shows ropes and held features; `withMarks` adds holds, force and velocity of the character. */
  update({ contacts, centre, velocity, contact_force, ropes }: CharacterForces, held: (string | null)[], withMarks: boolean): void {
    this.marks.visible = withMarks;
    this.holds.forEach((hold, index) => {
      const at = contacts[index];
      hold.visible = at !== null && at !== undefined;
      if (at) hold.position.set(...at);
    });
    this.middle.position.set(...centre);
    point(this.force, centre, contact_force, G_M / 9.81);
    point(this.speed, centre, velocity, 0.25);
    ropes.forEach((points, index) => this.ropes[index]?.geometry.setAttribute("position", new BufferAttribute(new Float32Array(smooth(points)), 3)));
    for (const [name, material] of this.named) material.emissive.set(held.includes(name) ? "#7a4a1c" : "#000000");
  }

  private objectOf(name: string, template: string, geometry: Geometry): Object3D | null {
    const material = new MeshStandardMaterial({ color: COLOURS[template] ?? "#888888", roughness: 0.8 });
    if (template === "water") Object.assign(material, { transparent: true, opacity: 0.45, depthWrite: false, roughness: 0.2 });
    if (template !== "floor" && template !== "water") this.named.set(name, material);
    if ("box" in geometry) {
      const [min, max] = [new Vector3(...geometry.box.min), new Vector3(...geometry.box.max)];
      const mesh = new Mesh(new BoxGeometry(...max.clone().sub(min).toArray()), material);
      mesh.position.copy(min).add(max).divideScalar(2);
      mesh.receiveShadow = true;
      mesh.castShadow = template !== "water";
      return mesh;
    }
    if ("cylinder" in geometry) {
      const { from, to, radius_m } = geometry.cylinder;
      const [a, b] = [new Vector3(...from), new Vector3(...to)];
      const mesh = new Mesh(new CylinderGeometry(radius_m, radius_m, a.distanceTo(b), 16), material);
      mesh.position.copy(a).add(b).divideScalar(2);
      mesh.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), b.sub(a).normalize()));
      mesh.castShadow = true;
      return mesh;
    }
    if ("point" in geometry) {
      const mesh = new Mesh(new SphereGeometry(Math.max(geometry.point.radius_m, 0.05), 16, 12), material);
      mesh.position.set(...geometry.point.at);
      mesh.castShadow = true;
      return mesh;
    }
    if ("rope" in geometry) {
      const { top, length_m } = geometry.rope;
      const line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: COLOURS["rope"]! }));
      line.frustumCulled = false;
      line.geometry.setAttribute("position", new BufferAttribute(new Float32Array([...top, top[0], top[1] - length_m, top[2]]), 3));
      this.ropes.push(line);
      return line;
    }
    return null;
  }
}

/** A rope as a smooth line. */
function smooth(points: Point[]): number[] {
  if (points.length < 2) return points.flat();
  const curve = new CatmullRomCurve3(points.map((at) => new Vector3(...at)));
  return curve.getPoints(4 * points.length).flatMap((at) => at.toArray());
}

function point(arrow: ArrowHelper, from: Point, to: Point, scale: number): void {
  const vector = new Vector3(...to);
  const length = Math.min(vector.length() * scale, 3);
  arrow.visible = length > 0.05;
  if (!arrow.visible) return;
  arrow.position.set(...from);
  arrow.setDirection(vector.normalize());
  arrow.setLength(length, 0.12, 0.08);
}

const ball = (radius: number, colour: string): Mesh => {
  const mesh = new Mesh(new SphereGeometry(radius, 18, 12), new MeshBasicMaterial({ color: colour, depthTest: false }));
  mesh.renderOrder = 10;
  return mesh;
};
