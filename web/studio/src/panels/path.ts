// A drawn path: sampled evenly in time, and slowed down to walking speed.

/** A position on the floor and its time in seconds. */
export interface Sample {
  x: number;
  z: number;
  secs: number;
}

export type Path = [number, number][];

/** Samples per second, as in the paper. */
export const RATE_HZ = 30;
/** About the highest walking speed of the examples, in metres per second. */
const MAX_SPEED_MPS = 1.5;

/** The length of a path, in metres. */
export const lengthOf = (path: Path): number =>
  path.slice(1).reduce((sum, [x, z], index) => sum + Math.hypot(x - path[index]![0], z - path[index]![1]), 0);

/** Positions at even times, interpolated between the samples. */
export function sampled(samples: Sample[], stretch = 1): Path {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last) return [];
  const secs = (last.secs - first.secs) * stretch;
  const path: Path = [];
  let at = 0;
  for (let frame = 0; frame <= Math.floor(secs * RATE_HZ); frame++) {
    const time = first.secs + frame / RATE_HZ / stretch;
    while (at + 2 < samples.length && samples[at + 1]!.secs < time) at++;
    const [a, b] = [samples[at]!, samples[Math.min(at + 1, samples.length - 1)]!];
    const fraction = b.secs > a.secs ? Math.min(Math.max((time - a.secs) / (b.secs - a.secs), 0), 1) : 0;
    path.push([a.x + fraction * (b.x - a.x), a.z + fraction * (b.z - a.z)]);
  }
  return path;
}

/** The factor by which a path must be slowed down so that its fastest part can be walked; at least 1. */
export function slowdown(samples: Sample[]): number {
  const path = sampled(samples);
  // Averaged over half a second, so that a trembling hand does not count as speed.
  const window = RATE_HZ / 2;
  const speeds = path.slice(window).map(([x, z], index) => (Math.hypot(x - path[index]![0], z - path[index]![1]) / window) * RATE_HZ);
  const total = samples.length > 1 ? lengthOf(path) / Math.max(samples.at(-1)!.secs - samples[0]!.secs, 1e-3) : 0;
  return Math.max(1, Math.max(total, ...speeds) / MAX_SPEED_MPS);
}
