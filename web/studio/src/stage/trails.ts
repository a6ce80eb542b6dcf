// Trails of hands, feet, hips and head around the current time.
import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial } from "three";
import { type Actor, jointOf } from "../motion.ts";
import { paths } from "../pose.ts";
import { LEFT, RIGHT } from "./colours.ts";

const JOINTS: [string, string][] = [
  ["Hips", "#e6e2da"],
  ["Head", "#9aa4b2"],
  ["LeftHand", LEFT],
  ["RightHand", RIGHT],
  ["LeftFoot", LEFT],
  ["RightFoot", RIGHT],
];
/** Length of a trail before and after the current time. */
const PAST_SECS = 1.5;
const FUTURE_SECS = 0.6;

/** The trails of one character. */
export class Trails {
  readonly group = new Group();
  private readonly positions: Float32Array;
  private readonly lines: Line[];
  private readonly past: number;
  private readonly future: number;
  private readonly frames: number;

  constructor(actor: Actor, rateHz: number) {
    const known = JOINTS.map(([role, colour]) => ({ joint: jointOf(actor, role), colour })).filter(({ joint }) => joint >= 0);
    const shown = known.length > 0 ? known : [{ joint: 0, colour: "#e6e2da" }];
    this.positions = paths(actor, shown.map(({ joint }) => joint));
    this.frames = this.positions.length / (3 * shown.length);
    this.past = Math.round(PAST_SECS * rateHz);
    this.future = Math.round(FUTURE_SECS * rateHz);
    const length = this.past + this.future + 1;
    this.lines = shown.map(({ colour }) => {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * length), 3));
      const line = new Line(geometry, new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.75 }));
      line.frustumCulled = false;
      return line;
    });
    this.group.add(...this.lines);
  }

  set(frame: number): void {
    const now = Math.min(Math.max(Math.round(frame), 0), this.frames - 1);
    const first = Math.max(now - this.past, 0);
    const last = Math.min(now + this.future, this.frames - 1);
    const joints = this.lines.length;
    this.lines.forEach((line, joint) => {
      const positions = line.geometry.getAttribute("position") as BufferAttribute;
      for (let at = first; at <= last; at++) {
        const from = 3 * (at * joints + joint);
        positions.setXYZ(at - first, this.positions[from]!, this.positions[from + 1]!, this.positions[from + 2]!);
      }
      line.geometry.setDrawRange(0, last - first + 1);
      positions.needsUpdate = true;
    });
  }
}
