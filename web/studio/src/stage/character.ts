// The user's own figure: the model of a glTF file, whose nodes are posed.
import { Group, Mesh, type Object3D, Quaternion, Vector3 } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import type { Pose } from "../pose.ts";

/** How a pose becomes transforms of the nodes of a file. docs/studio.md describes it. */
export interface Rig {
  nodes: number[];
  scales: [number, number, number][];
  file_from_marey: [number, number, number, number];
  metres: number;
  above_position: [number, number, number];
  above_rotation: [number, number, number, number];
}

interface PosedNode {
  joint: number;
  node: Object3D;
  scale: Vector3;
}

export class CharacterSkin {
  readonly group = new Group();
  private readonly joints: PosedNode[];
  private readonly axes: Quaternion;
  private readonly unaxes: Quaternion;
  private readonly metres: number;
  private readonly above: Vector3;
  private readonly unturn: Quaternion;

  /** Parses the model. Each figure needs its own, since its nodes are posed. */
  static async load(bytes: ArrayBuffer, rig: Rig): Promise<CharacterSkin> {
    const { scene, parser } = await new GLTFLoader().parseAsync(bytes, "");
    const nodes = new Map<number, Object3D>();
    scene.traverse((object) => {
      const index = parser.associations.get(object)?.nodes;
      // A node with several primitives is a group; its meshes have its index too.
      if (index !== undefined && !nodes.has(index)) nodes.set(index, object);
      if (object instanceof Mesh) {
        object.castShadow = true;
        object.receiveShadow = true;
        object.frustumCulled = false;
      }
    });
    return new CharacterSkin(scene, nodes, rig);
  }

  private constructor(scene: Object3D, nodes: Map<number, Object3D>, rig: Rig) {
    this.joints = rig.nodes.flatMap((index, joint) => {
      const node = nodes.get(index);
      return node ? [{ joint, node, scale: new Vector3(...rig.scales[joint]!) }] : [];
    });
    this.axes = new Quaternion(...rig.file_from_marey);
    this.unaxes = this.axes.clone().invert();
    this.metres = rig.metres;
    this.above = new Vector3(...rig.above_position);
    this.unturn = new Quaternion(...rig.above_rotation).invert();
    this.group.add(scene);
    this.group.quaternion.copy(this.unaxes);
    this.group.scale.setScalar(rig.metres);
  }

  /** Poses the nodes. */
  set({ localRotations, localPositions, moves }: Pose): void {
    for (const { joint, node, scale } of this.joints) {
      node.quaternion.fromArray(localRotations, 4 * joint).premultiply(this.axes).multiply(this.unaxes);
      if (joint === 0) node.quaternion.premultiply(this.unturn);
      if (!moves(joint)) continue;
      node.position.fromArray(localPositions, 3 * joint).applyQuaternion(this.axes).divideScalar(this.metres);
      if (joint === 0) node.position.sub(this.above).applyQuaternion(this.unturn);
      node.position.divide(scale);
    }
  }
}
