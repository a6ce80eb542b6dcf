// The centre of mass and its projection on the floor.
import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, RingGeometry, SphereGeometry } from "three";
import { type Actor, jointOf } from "../motion.ts";
import type { Pose } from "../pose.ts";

// The fraction of the body's mass that is counted at each joint, rounded from D. Winter, "Biomechanics and Motor Control of
// Human Movement" (2009), table 4.1, as in the quality card.
const MASS_FRACTIONS: [string, number][] = [
  ["Hips", 0.3],
  ["Neck", 0.2],
  ["Head", 0.08],
  ["LeftLowerLeg", 0.12],
  ["RightLowerLeg", 0.12],
  ["LeftFoot", 0.04],
  ["RightFoot", 0.04],
  ["LeftLowerArm", 0.03],
  ["RightLowerArm", 0.03],
  ["LeftHand", 0.02],
  ["RightHand", 0.02],
];

/** A ball at the centre of mass, a line down to the floor, and a ring there. */
export class CentreOfMass {
  readonly group = new Group();
  private readonly fractions: [number, number][];
  private readonly ball = new Mesh(new SphereGeometry(0.035, 20, 12), new MeshBasicMaterial({ color: "#ffe08a", depthTest: false }));
  private readonly ring = new Mesh(new RingGeometry(0.05, 0.07, 28), new MeshBasicMaterial({ color: "#ffe08a" }));
  private readonly plumb = new Line(new BufferGeometry(), new LineBasicMaterial({ color: "#ffe08a", transparent: true, opacity: 0.6 }));

  constructor(actor: Actor) {
    this.fractions = MASS_FRACTIONS.map(([role, fraction]): [number, number] => [jointOf(actor, role), fraction]).filter(([joint]) => joint >= 0);
    this.ball.renderOrder = 10;
    this.ring.rotation.x = -Math.PI / 2;
    this.plumb.geometry.setAttribute("position", new BufferAttribute(new Float32Array(6), 3));
    this.plumb.frustumCulled = false;
    this.group.add(this.ball, this.ring, this.plumb);
    this.group.visible = this.fractions.length > 0;
  }

  set(pose: Pose, floorM: number): void {
    let [x, y, z, total] = [0, 0, 0, 0];
    for (const [joint, fraction] of this.fractions) {
      const [px, py, pz] = pose.positionOf(joint);
      x += fraction * px;
      y += fraction * py;
      z += fraction * pz;
      total += fraction;
    }
    if (total === 0) return;
    this.ball.position.set(x / total, y / total, z / total);
    this.ring.position.set(x / total, floorM + 0.004, z / total);
    const line = this.plumb.geometry.getAttribute("position") as BufferAttribute;
    line.setXYZ(0, x / total, y / total, z / total);
    line.setXYZ(1, x / total, floorM, z / total);
    line.needsUpdate = true;
  }
}
