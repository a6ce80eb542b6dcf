// Decodes a motion. docs/studio.md describes the layout.
import type { CharacterSkin } from "./stage/character.ts";

export interface Joint {
  name: string;
  parent: number | null;
  offset: [number, number, number];
  role: string | null;
}

/** A mesh that is skinned to joints. */
export interface Part {
  positions: Float32Array;
  normals: Float32Array;
  joints: Uint16Array;
  weights: Uint8Array;
  triangles: Uint32Array;
}

export interface Body {
  inverseBinds: Float32Array;
  parts: Part[];
}

export interface Contact {
  role: string;
  start: number;
  end: number;
}

/** One character. */
export interface Actor {
  name: string;
  joints: Joint[];
  /** For each joint, its index among the movers, or -1 if it only rotates. */
  moverOf: Int32Array;
  movers: number;
  /** frames × joints × 4. */
  rotations: Float32Array;
  /** frames × movers × 3. */
  positions: Float32Array;
  contacts: Contact[];
  body: Body | null;
  /** The user's own figure, shown instead of the body. */
  skin: CharacterSkin | null;
}

export interface Motion {
  name: string;
  rateHz: number;
  frames: number;
  floorM: number;
  secs: number;
  actors: Actor[];
}

type Span = [number, number];
interface PartSpans {
  positions: Span;
  normals: Span;
  joints: Span;
  weights: Span;
  triangles: Span;
}
interface Description {
  name: string;
  rate_hz: number;
  frames: number;
  floor_m: number;
  actors: {
    name: string;
    joints: Joint[];
    movers: number[];
    rotations: Span;
    positions: Span;
    contacts: [string, number, number][];
    body: { inverse_binds: Span; parts: PartSpans[] } | null;
  }[];
}

const MAGIC = "marey 1\n";

/** Decodes a message. Arrays are views into it. */
export function decode(message: ArrayBuffer): Motion {
  const magic = new TextDecoder().decode(new Uint8Array(message, 0, 8));
  if (magic !== MAGIC) throw new Error("The poses belong to another version of Marey. Reload the page.");
  const length = new DataView(message).getUint32(8, true);
  const description = JSON.parse(new TextDecoder().decode(new Uint8Array(message, 12, length))) as Description;
  const from = 12 + length;
  const floats = ([start, size]: Span) => new Float32Array(message, from + start, size / 4);
  const part = ({ positions, normals, joints, weights, triangles }: PartSpans): Part => ({
    positions: floats(positions),
    normals: floats(normals),
    joints: new Uint16Array(message, from + joints[0], joints[1] / 2),
    weights: new Uint8Array(message, from + weights[0], weights[1]),
    triangles: new Uint32Array(message, from + triangles[0], triangles[1] / 4),
  });
  const actors = description.actors.map(({ name, joints, movers, rotations, positions, contacts, body }): Actor => {
    const moverOf = new Int32Array(joints.length).fill(-1);
    movers.forEach((joint, mover) => (moverOf[joint] = mover));
    return {
      name,
      joints,
      moverOf,
      movers: movers.length,
      rotations: floats(rotations),
      positions: floats(positions),
      contacts: contacts.map(([role, start, end]) => ({ role, start, end })),
      skin: null,
      body: body && { inverseBinds: floats(body.inverse_binds), parts: body.parts.map(part) },
    };
  });
  const { rate_hz: rateHz, frames } = description;
  return { name: description.name, rateHz, frames, floorM: description.floor_m, secs: frames / rateHz, actors };
}

/** The joint with a role, or -1. */
export const jointOf = (actor: Actor, role: string): number => actor.joints.findIndex((joint) => joint.role === role);
