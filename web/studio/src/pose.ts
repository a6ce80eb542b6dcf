// Interpolates poses and computes the world matrix of every joint.
import type { Actor } from "./motion.ts";

/** World matrices of all joints at a fractional frame, column by column. */
export class Pose {
  readonly matrices: Float32Array;
  /** Rotations relative to the parents. */
  readonly localRotations: Float32Array;
  /** Positions relative to the parents. */
  readonly localPositions: Float32Array;
  private readonly worldRotations: Float32Array;
  private readonly actor: Actor;

  constructor(actor: Actor) {
    this.actor = actor;
    this.matrices = new Float32Array(16 * actor.joints.length);
    this.localRotations = new Float32Array(4 * actor.joints.length);
    this.localPositions = new Float32Array(3 * actor.joints.length);
    this.worldRotations = new Float32Array(4 * actor.joints.length);
  }

  /** Sets the pose of a frame, limited to the first and the last. */
  set(frame: number): this {
    const { joints, moverOf, movers, rotations, positions } = this.actor;
    const count = joints.length;
    const last = rotations.length / (4 * count) - 1;
    const at = Math.min(Math.max(frame, 0), last);
    const before = Math.min(Math.floor(at), last);
    const after = Math.min(before + 1, last);
    const fraction = at - before;
    const { worldRotations, matrices } = this;
    for (let joint = 0; joint < count; joint++) {
      const a = 4 * (before * count + joint);
      const b = 4 * (after * count + joint);
      // Rotations of neighbouring frames are close and of one sign, so that normalised linear interpolation suffices.
      let x = mix(rotations, a, b, fraction);
      let y = mix(rotations, a + 1, b + 1, fraction);
      let z = mix(rotations, a + 2, b + 2, fraction);
      let w = mix(rotations, a + 3, b + 3, fraction);
      const scale = 1 / Math.hypot(x, y, z, w);
      x *= scale;
      y *= scale;
      z *= scale;
      w *= scale;
      const { parent, offset } = joints[joint]!;
      let [px, py, pz] = offset;
      const mover = moverOf[joint]!;
      if (mover >= 0) {
        const c = 3 * (before * movers + mover);
        const d = 3 * (after * movers + mover);
        px = mix(positions, c, d, fraction);
        py = mix(positions, c + 1, d + 1, fraction);
        pz = mix(positions, c + 2, d + 2, fraction);
      }
      this.localRotations.set([x, y, z, w], 4 * joint);
      this.localPositions.set([px, py, pz], 3 * joint);
      const m = 16 * joint;
      if (parent !== null) {
        const q = 4 * parent;
        const [ax, ay, az, aw] = [worldRotations[q]!, worldRotations[q + 1]!, worldRotations[q + 2]!, worldRotations[q + 3]!];
        const p = 16 * parent;
        const rotated = rotate(matrices, p, px, py, pz);
        px = rotated[0] + matrices[p + 12]!;
        py = rotated[1] + matrices[p + 13]!;
        pz = rotated[2] + matrices[p + 14]!;
        [x, y, z, w] = [
          aw * x + ax * w + ay * z - az * y,
          aw * y - ax * z + ay * w + az * x,
          aw * z + ax * y - ay * x + az * w,
          aw * w - ax * x - ay * y - az * z,
        ];
      }
      worldRotations.set([x, y, z, w], 4 * joint);
      write(matrices, m, x, y, z, w, px, py, pz);
    }
    return this;
  }

  /** Whether a joint has a translation of its own in every frame. */
  moves = (joint: number): boolean => this.actor.moverOf[joint]! >= 0;

  /** The position of a joint. */
  positionOf(joint: number): [number, number, number] {
    const m = 16 * joint + 12;
    return [this.matrices[m] ?? 0, this.matrices[m + 1] ?? 0, this.matrices[m + 2] ?? 0];
  }
}

const mix = (values: Float32Array, a: number, b: number, fraction: number): number =>
  values[a]! + fraction * (values[b]! - values[a]!);

/** Rotates a vector by a matrix. */
function rotate(m: Float32Array, at: number, x: number, y: number, z: number): [number, number, number] {
  return [
    m[at]! * x + m[at + 4]! * y + m[at + 8]! * z,
    m[at + 1]! * x + m[at + 5]! * y + m[at + 9]! * z,
    m[at + 2]! * x + m[at + 6]! * y + m[at + 10]! * z,
  ];
}

/** Writes a rotation and a position as a matrix. */
function write(
  m: Float32Array,
  at: number,
  x: number,
  y: number,
  z: number,
  w: number,
  px: number,
  py: number,
  pz: number,
): void {
  m[at] = 1 - 2 * (y * y + z * z);
  m[at + 1] = 2 * (x * y + z * w);
  m[at + 2] = 2 * (x * z - y * w);
  m[at + 3] = 0;
  m[at + 4] = 2 * (x * y - z * w);
  m[at + 5] = 1 - 2 * (x * x + z * z);
  m[at + 6] = 2 * (y * z + x * w);
  m[at + 7] = 0;
  m[at + 8] = 2 * (x * z + y * w);
  m[at + 9] = 2 * (y * z - x * w);
  m[at + 10] = 1 - 2 * (x * x + y * y);
  m[at + 11] = 0;
  m[at + 12] = px;
  m[at + 13] = py;
  m[at + 14] = pz;
  m[at + 15] = 1;
}

/** Positions of joints in every frame: frames × joints × 3. */
export function paths(actor: Actor, joints: number[]): Float32Array {
  const frames = actor.rotations.length / (4 * actor.joints.length);
  const found = new Float32Array(3 * frames * joints.length);
  const pose = new Pose(actor);
  for (let frame = 0; frame < frames; frame++) {
    pose.set(frame);
    joints.forEach((joint, index) => found.set(pose.positionOf(joint), 3 * (frame * joints.length + index)));
  }
  return found;
}
