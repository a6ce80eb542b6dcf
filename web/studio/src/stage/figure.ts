// A posed mannequin: the mesh that the server makes for a skeleton, skinned to its joints.
import {
  Bone,
  BufferAttribute,
  BufferGeometry,
  Color,
  DetachedBindMode,
  Group,
  Matrix4,
  MeshStandardMaterial,
  Skeleton,
  SkinnedMesh,
} from "three";
import { type Actor, type Part, jointOf } from "../motion.ts";
import { Pose } from "../pose.ts";
import type { CharacterSkin } from "./character.ts";
import { SKIN } from "./colours.ts";

/** Added thickness of skeletons that are not human, in metres; their bones are thin. */
const THICKER_M = 0.014;

/** A character on the stage. */
export class Figure {
  readonly group = new Group();
  readonly pose: Pose;
  private readonly skeleton: Skeleton;
  private readonly skin: CharacterSkin | null;

  /** `ghost` is the opacity of a transparent figure; 0 for a solid one. */
  constructor(actor: Actor, colour: string, ghost = 0) {
    this.pose = new Pose(actor);
    const bones = actor.joints.map(() => {
      const bone = new Bone();
      bone.matrixAutoUpdate = false;
      bone.matrixWorldAutoUpdate = false;
      return bone;
    });
    const isPerson = jointOf(actor, "LeftFoot") >= 0;
    const binds = actor.body?.inverseBinds ?? new Float32Array();
    const inverses = bones.map((_, joint) => new Matrix4().fromArray(binds, 16 * joint));
    this.skeleton = new Skeleton(bones, actor.body ? inverses : undefined);
    this.skin = ghost === 0 ? actor.skin : null;
    if (this.skin) this.group.add(this.skin.group);
    const parts = this.skin ? [] : (actor.body?.parts ?? []);
    parts.forEach((part, index) => {
      if (part.triangles.length === 0) return;
      const mesh = new SkinnedMesh(geometryOf(part, isPerson ? 0 : THICKER_M), materialOf(index === 0 ? colour : SKIN, ghost));
      mesh.bindMode = DetachedBindMode;
      mesh.bind(this.skeleton, new Matrix4());
      mesh.frustumCulled = false;
      mesh.castShadow = ghost === 0;
      mesh.receiveShadow = ghost === 0;
      this.group.add(mesh);
    });
  }

  /** Sets the pose of a fractional frame. */
  set(frame: number): void {
    const { matrices } = this.pose.set(frame);
    this.skin?.set(this.pose);
    this.group.updateWorldMatrix(true, false);
    this.skeleton.bones.forEach((bone, joint) => {
      bone.matrixWorld.fromArray(matrices, 16 * joint).premultiply(this.group.matrixWorld);
    });
  }

  dispose(): void {
    this.group.removeFromParent();
    this.skeleton.dispose();
    for (const child of this.group.children) {
      if (child instanceof SkinnedMesh) {
        (child.material as MeshStandardMaterial).dispose();
      }
    }
  }
}

/** A figure and its ghosts share geometry. */
const geometries = new WeakMap<Part, BufferGeometry>();

function geometryOf(part: Part, thicker: number): BufferGeometry {
  const known = geometries.get(part);
  if (known) return known;
  const geometry = new BufferGeometry();
  const positions = thicker === 0 ? part.positions : part.positions.map((at, index) => at + thicker * part.normals[index]!);
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(part.normals, 3));
  geometry.setAttribute("skinIndex", new BufferAttribute(part.joints, 4));
  geometry.setAttribute("skinWeight", new BufferAttribute(part.weights, 4, true));
  geometry.setIndex(new BufferAttribute(part.triangles, 1));
  geometries.set(part, geometry);
  return geometry;
}

function materialOf(colour: string, ghost: number): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ color: new Color(colour), roughness: 0.72, metalness: 0 });
  if (ghost > 0) {
    material.transparent = true;
    material.opacity = ghost;
    material.depthWrite = false;
  }
  return material;
}
