// Foot contacts as marks on the floor.
import { CircleGeometry, Color, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { type Actor, jointOf } from "../motion.ts";
import { Pose } from "../pose.ts";
import { LEFT, RIGHT } from "./colours.ts";

const UP = new Vector3(0, 1, 0);
const FLAT = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -Math.PI / 2);

/** Marks are shown for this long before and after a contact, in seconds. */
const BEFORE_SECS = 1.5;
const AFTER_SECS = 8;
/** Maximum height of a foot joint in contact with the floor, in metres. */
const MAX_HEIGHT_M = 0.22;
const HIDDEN = new Matrix4().makeScale(0, 0, 0);

interface FootMark {
  start: number;
  end: number;
  colour: Color;
  matrix: Matrix4;
}

/** One mark for each contact of a heel or ball; current contacts are bright. */
export class FootMarks {
  readonly mesh: InstancedMesh;
  private readonly marks: FootMark[] = [];

  private readonly rateHz: number;

  constructor(actor: Actor, floorM: number, rateHz: number) {
    this.rateHz = rateHz;
    const material = new MeshBasicMaterial({ transparent: true, opacity: 0.8, depthWrite: false });
    const pose = new Pose(actor);
    const isLevel = (joint: number, frame: number) => Math.abs(pose.set(frame).positionOf(joint)[1] - floorM) < MAX_HEIGHT_M;
    // Feet on a step have no mark on the floor.
    const contacts = actor.contacts.filter(({ role, start, end }) => {
      const joint = jointOf(actor, role);
      return /^(Left|Right)(Foot|Toes)$/.test(role) && joint >= 0 && isLevel(joint, (start + end - 1) / 2);
    });
    this.mesh = new InstancedMesh(new CircleGeometry(1, 24), material, contacts.length);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
    for (const { role, start, end } of contacts) {
      pose.set((start + end - 1) / 2);
      const joint = jointOf(actor, role);
      const [x, , z] = pose.positionOf(joint);
      const toes = jointOf(actor, role.replace("Foot", "Toes"));
      const [tx, , tz] = pose.positionOf(toes >= 0 ? toes : joint);
      const heel = jointOf(actor, role.replace("Toes", "Foot"));
      const [hx, , hz] = pose.positionOf(heel);
      const yaw = Math.atan2(tx - hx, tz - hz);
      const isToes = role.endsWith("Toes");
      const turn = new Quaternion().setFromAxisAngle(UP, yaw).multiply(FLAT);
      const size = isToes ? new Vector3(0.045, 0.055, 1) : new Vector3(0.035, 0.042, 1);
      const matrix = new Matrix4().compose(new Vector3(x, floorM + 0.003, z), turn, size);
      this.marks.push({ start, end, matrix, colour: new Color(role.startsWith("Left") ? LEFT : RIGHT) });
    }
  }

  set(frame: number): void {
    const faint = new Color("#39424e");
    this.marks.forEach(({ start, end, colour, matrix }, index) => {
      const isNear = frame > start - BEFORE_SECS * this.rateHz && frame < end + AFTER_SECS * this.rateHz;
      this.mesh.setMatrixAt(index, isNear ? matrix : HIDDEN);
      const isCurrent = frame >= start && frame < end;
      const isPast = frame >= end;
      this.mesh.setColorAt(index, isCurrent ? colour : faint.clone().lerp(colour, isPast ? 0.5 : 0.12));
    });
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}
