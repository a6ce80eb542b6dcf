// The centre of mass and its projection on the floor.
import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, RingGeometry, SphereGeometry } from "three";
import { type Actor, jointOf } from "../motion.ts";
import type { Pose } from "../pose.ts";

// The share of the body's mass that is counted at each joint, rounded from D. Winter, "Biomechanics and Motor Control of
// Human Movement" (2009), table 4.1, as in the quality card.
const SHARES: [string, number][] = [
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
export class Mass {
  readonly group = new Group();
  private readonly shares: [number, number][];
  private readonly ball = new Mesh(new SphereGeometry(0.035, 20, 12), new MeshBasicMaterial({ color: "#ffe08a", depthTest: false }));
  private readonly ring = new Mesh(new RingGeometry(0.05, 0.07, 28), new MeshBasicMaterial({ color: "#ffe08a" }));
  private readonly plumb = new Line(new BufferGeometry(), new LineBasicMaterial({ color: "#ffe08a", transparent: true, opacity: 0.6 }));

  constructor(actor: Actor) {
    this.shares = SHARES.map(([role, share]): [number, number] => [jointOf(actor, role), share]).filter(([joint]) => joint >= 0);
    this.ball.renderOrder = 10;
    this.ring.rotation.x = -Math.PI / 2;
    this.plumb.geometry.setAttribute("position", new BufferAttribute(new Float32Array(6), 3));
    this.plumb.frustumCulled = false;
    this.group.add(this.ball, this.ring, this.plumb);
    this.group.visible = this.shares.length > 0;
  }

  set(pose: Pose, floorM: number): void {
    let [x, y, z, all] = [0, 0, 0, 0];
    for (const [joint, share] of this.shares) {
      const [px, py, pz] = pose.place(joint);
      x += share * px;
      y += share * py;
      z += share * pz;
      all += share;
    }
    if (all === 0) return;
    this.ball.position.set(x / all, y / all, z / all);
    this.ring.position.set(x / all, floorM + 0.004, z / all);
    const line = this.plumb.geometry.getAttribute("position") as BufferAttribute;
    line.setXYZ(0, x / all, y / all, z / all);
    line.setXYZ(1, x / all, floorM, z / all);
    line.needsUpdate = true;
  }
}
