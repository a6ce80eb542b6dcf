// Ground as it is edited: pieces of points from left to right, with gaps between them. Everything here gives new ground.
import type { Piece } from "../api.ts";

/** A point: its piece, and its number in it. */
export interface At {
  piece: number;
  point: number;
}

/** Points that are nearer along the way than this make a step, in metres. */
const STEP_M = 0.03;
/** Otherwise they are no nearer than this. */
const APART_M = 0.01;
/** How high and how low ground may be. */
const MOST_UP_M = 3;
/** How wide a new gap is, at most. */
const GAP_M = 0.14;

const centimetres = (metres: number): number => Math.round(100 * metres) / 100;
const copy = (pieces: Piece[]): Piece[] => pieces.map((piece) => piece.map(([along, up]) => [along, up]));

/** A point moved, as far as its neighbours let it. */
export function moved(pieces: Piece[], { piece, point }: At, along: number, up: number): Piece[] {
  const next = copy(pieces);
  const points = next[piece]!;
  const own = points[point]!;
  let to = centimetres(along);
  // Beside a neighbour it is put above or below it: a step, of two points and no more.
  const neighbour = (by: 1 | -1) => {
    const [near, far] = [points[point + by], points[point + 2 * by]];
    const beyond = by < 0 ? next[piece - 1]?.at(-1) : next[piece + 1]?.[0];
    if (near) {
      const makesStep = points.length > 2 && near[0] !== far?.[0] && points[point - by]?.[0] !== own[0];
      if (makesStep && by * (near[0] - to) < STEP_M) to = near[0];
      else if (by * (near[0] - to) < APART_M) to = centimetres(near[0] - by * APART_M);
    } else if (beyond && by * (beyond[0] - to) < APART_M) to = centimetres(beyond[0] - by * APART_M);
  };
  neighbour(-1);
  neighbour(1);
  own[0] = to;
  own[1] = centimetres(Math.min(Math.max(up, -MOST_UP_M), MOST_UP_M));
  return isSound(next) ? next : pieces;
}

/** A new point where somebody clicked: on the ground, or beyond one of its ends. */
export function added(pieces: Piece[], along: number, up: number): { pieces: Piece[]; at: At } | null {
  const next = copy(pieces);
  const fresh: [number, number] = [centimetres(along), centimetres(Math.min(Math.max(up, -MOST_UP_M), MOST_UP_M))];
  const put = (piece: number, point: number) => {
    next[piece]!.splice(point, 0, fresh);
    return isSound(next) ? { pieces: next, at: { piece, point } } : null;
  };
  for (const [piece, points] of pieces.entries()) {
    const point = points.findIndex(([at], index) => index > 0 && points[index - 1]![0] < fresh[0] && fresh[0] < at);
    if (point > 0) return put(piece, point);
  }
  const last = pieces.length - 1;
  if (fresh[0] < pieces[0]![0]![0]) return put(0, 0);
  if (fresh[0] > pieces[last]!.at(-1)![0]) return put(last, pieces[last]!.length);
  return null;
}

/** A point after another one, half-way to the next; of the last, one farther on. */
export function addedAfter(pieces: Piece[], { piece, point }: At): { pieces: Piece[]; at: At } | null {
  const points = pieces[piece]!;
  const [a, b] = [points[point]!, points[point + 1]];
  if (!b) return piece === pieces.length - 1 ? added(pieces, a[0] + 0.4, a[1]) : null;
  return b[0] - a[0] > 2 * APART_M ? added(pieces, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2) : null;
}

/** Without a point; a piece that would have one left goes, unless it is the last. */
export function removed(pieces: Piece[], { piece, point }: At): Piece[] {
  const next = copy(pieces);
  next[piece]!.splice(point, 1);
  const whole = next.filter((points) => points.length > 1 && points[0]![0] < points.at(-1)![0]);
  return whole.length > 0 && isSound(whole) ? whole : pieces;
}

/** With a gap after a point; or without it, where there is one. */
export function cut(pieces: Piece[], { piece, point }: At): Piece[] {
  const next = copy(pieces);
  const points = next[piece]!;
  const [a, b] = [points[point]!, points[point + 1]];
  if (!b) {
    const after = next[piece + 1];
    if (!after) return pieces;
    next.splice(piece, 2, [...points, ...after]);
    return next;
  }
  const wide = b[0] - a[0];
  if (wide < 0.06) return pieces;
  const half = Math.min(GAP_M, wide / 2) / 2;
  const on = (along: number): [number, number] => [centimetres(along), centimetres(a[1] + ((along - a[0]) / wide) * (b[1] - a[1]))];
  const middle = (a[0] + b[0]) / 2;
  next.splice(piece, 1, [...points.slice(0, point + 1), on(middle - half)], [on(middle + half), ...points.slice(point + 1)]);
  return isSound(next) ? next : pieces;
}

/** Whether it is ground: from left to right, pieces apart, no more than two points at one place. */
export function isSound(pieces: Piece[]): boolean {
  let end = -Infinity;
  return pieces.every((points) => {
    const rises = points.every(([along], index) => index === 0 || along >= points[index - 1]![0]);
    const steps = points.every(([along], index) => index < 2 || along > points[index - 2]![0]);
    const isPiece = points.length > 1 && points[0]![0] > end && points[0]![0] < points.at(-1)![0];
    end = points.at(-1)?.[0] ?? end;
    return rises && steps && isPiece;
  });
}

const stairs = (steps: number, tread: number, rise: number): Piece => {
  const points: Piece = [[-1.5, 0], [1, 0]];
  let [along, up] = [1, 0];
  for (let step = 0; step < 2 * steps; step++) {
    up = centimetres(up + (step < steps ? rise : -rise));
    points.push([along, up]);
    along = centimetres(along + (step === steps - 1 ? 2 * tread : tread));
    points.push([along, up]);
  }
  points[points.length - 1]![0] = centimetres(along + 2);
  return points;
};

/** Ground to begin with. */
export const COURSES: Record<string, { word: string; pieces: Piece[] }> = {
  lamp: {
    word: "a lamp's course",
    pieces: [
      [[-0.5, 0], [0.8, 0], [0.8, 0.06], [1.4, 0.06], [1.9, 0.14], [2.3, 0.14], [2.3, 0.08], [2.7, 0.08]],
      [[2.82, 0.08], [3.4, 0.04], [3.8, 0.12], [4.3, 0.12]],
      [[4.41, 0.1], [5, 0.1], [5, 0.04], [6, 0.04]],
    ],
  },
  stairs: { word: "stairs", pieces: [stairs(4, 0.45, 0.15)] },
  hills: { word: "hills", pieces: [Array.from({ length: 17 }, (_, index): [number, number] => [centimetres(-1.5 + 0.5 * index), centimetres(index < 3 || index > 13 ? 0 : 0.12 * (1 - Math.cos((index - 3) * 1.15)) / 2)])] },
  level: { word: "level ground", pieces: [[[-1.5, 0], [6.5, 0]]] },
};
