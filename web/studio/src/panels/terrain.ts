// Edits of a terrain: pieces of points from left to right, with gaps between them. Every function returns a new terrain.
import type { Piece } from "../api.ts";

/** A point: the index of its piece, and its index in it. */
export interface At {
  piece: number;
  point: number;
}

/** Points that are closer than this form a step, in metres. */
const STEP_M = 0.03;
/** Other points are at least this far apart, in metres. */
const MIN_SPACING_M = 0.01;
/** Maximum height and depth, in metres. */
const MAX_HEIGHT_M = 3;
/** Maximum width of a new gap, in metres. */
const GAP_M = 0.14;

const roundToCentimetres = (metres: number): number => Math.round(100 * metres) / 100;
const copy = (pieces: Piece[]): Piece[] => pieces.map((piece) => piece.map(([along, up]) => [along, up]));

/** Moves a point, as far as its neighbours allow. */
export function moved(pieces: Piece[], { piece, point }: At, along: number, up: number): Piece[] {
  const next = copy(pieces);
  const points = next[piece]!;
  const own = points[point]!;
  let to = roundToCentimetres(along);
  // Close to a neighbour, the point is placed above or below it, which forms a step of two points.
  const neighbour = (by: 1 | -1) => {
    const [near, far] = [points[point + by], points[point + 2 * by]];
    const beyond = by < 0 ? next[piece - 1]?.at(-1) : next[piece + 1]?.[0];
    if (near) {
      const makesStep = points.length > 2 && near[0] !== far?.[0] && points[point - by]?.[0] !== own[0];
      if (makesStep && by * (near[0] - to) < STEP_M) to = near[0];
      else if (by * (near[0] - to) < MIN_SPACING_M) to = roundToCentimetres(near[0] - by * MIN_SPACING_M);
    } else if (beyond && by * (beyond[0] - to) < MIN_SPACING_M) to = roundToCentimetres(beyond[0] - by * MIN_SPACING_M);
  };
  neighbour(-1);
  neighbour(1);
  own[0] = to;
  own[1] = roundToCentimetres(Math.min(Math.max(up, -MAX_HEIGHT_M), MAX_HEIGHT_M));
  return isValid(next) ? next : pieces;
}

/** Adds a point on the terrain, or beyond one of its ends. */
export function added(pieces: Piece[], along: number, up: number): { pieces: Piece[]; at: At } | null {
  const next = copy(pieces);
  const fresh: [number, number] = [roundToCentimetres(along), roundToCentimetres(Math.min(Math.max(up, -MAX_HEIGHT_M), MAX_HEIGHT_M))];
  const put = (piece: number, point: number) => {
    next[piece]!.splice(point, 0, fresh);
    return isValid(next) ? { pieces: next, at: { piece, point } } : null;
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

/** Adds a point after another one: half-way to the next, or beyond the last. */
export function addedAfter(pieces: Piece[], { piece, point }: At): { pieces: Piece[]; at: At } | null {
  const points = pieces[piece]!;
  const [a, b] = [points[point]!, points[point + 1]];
  if (!b) return piece === pieces.length - 1 ? added(pieces, a[0] + 0.4, a[1]) : null;
  return b[0] - a[0] > 2 * MIN_SPACING_M ? added(pieces, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2) : null;
}

/** Removes a point. A piece with one point left is removed too, unless it is the only piece. */
export function removed(pieces: Piece[], { piece, point }: At): Piece[] {
  const next = copy(pieces);
  next[piece]!.splice(point, 1);
  const whole = next.filter((points) => points.length > 1 && points[0]![0] < points.at(-1)![0]);
  return whole.length > 0 && isValid(whole) ? whole : pieces;
}

/** Cuts a gap after a point, or closes the gap that is there. */
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
  const on = (along: number): [number, number] => [roundToCentimetres(along), roundToCentimetres(a[1] + ((along - a[0]) / wide) * (b[1] - a[1]))];
  const middle = (a[0] + b[0]) / 2;
  next.splice(piece, 1, [...points.slice(0, point + 1), on(middle - half)], [on(middle + half), ...points.slice(point + 1)]);
  return isValid(next) ? next : pieces;
}

/** Whether a terrain is valid: ordered from left to right, with separate pieces, and at most two points at one position. */
export function isValid(pieces: Piece[]): boolean {
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
    up = roundToCentimetres(up + (step < steps ? rise : -rise));
    points.push([along, up]);
    along = roundToCentimetres(along + (step === steps - 1 ? 2 * tread : tread));
    points.push([along, up]);
  }
  points[points.length - 1]![0] = roundToCentimetres(along + 2);
  return points;
};

/** Predefined terrains. */
export const COURSES: Record<string, { label: string; pieces: Piece[] }> = {
  lamp: {
    label: "lamp course",
    pieces: [
      [[-0.5, 0], [0.8, 0], [0.8, 0.06], [1.4, 0.06], [1.9, 0.14], [2.3, 0.14], [2.3, 0.08], [2.7, 0.08]],
      [[2.82, 0.08], [3.4, 0.04], [3.8, 0.12], [4.3, 0.12]],
      [[4.41, 0.1], [5, 0.1], [5, 0.04], [6, 0.04]],
    ],
  },
  stairs: { label: "stairs", pieces: [stairs(4, 0.45, 0.15)] },
  hills: { label: "hills", pieces: [Array.from({ length: 17 }, (_, index): [number, number] => [roundToCentimetres(-1.5 + 0.5 * index), roundToCentimetres(index < 3 || index > 13 ? 0 : 0.12 * (1 - Math.cos((index - 3) * 1.15)) / 2)])] },
  level: { label: "level ground", pieces: [[[-1.5, 0], [6.5, 0]]] },
};
