// Requests to the server. Every error has a message, a code and a hint.
import type { World } from "./stage/world_view.ts";

/** The position of a problem in the input. */
export interface Place {
  line?: number;
  column?: number;
  frame?: number;
  joint?: string;
}

/** A warning or an error. */
export interface Problem {
  code: string;
  message: string;
  hint: string;
  place: Place;
  count?: number;
}

/** An error of the server or the page. */
export class StudioError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Any thrown value as an error. */
export function toError(thrown: unknown): StudioError {
  if (thrown instanceof StudioError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new StudioError({ code: "page/bug", message, hint: "Reload the page; if this does not help, please report it.", place: {} });
}

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    const hint = "Is `marey studio` still running? Start it again, and open the address that it prints.";
    throw new StudioError({ code: "page/no-answer", message: "The studio does not respond.", hint, place: {} });
  }
  if (response.ok || response.status === 304) return response;
  let problem: Problem;
  try {
    problem = (await response.json()) as Problem;
  } catch {
    problem = { code: "page/no-answer", message: `The studio responded with status ${response.status}.`, hint: "Reload the page.", place: {} };
  }
  throw new StudioError(problem);
}

/** Gets JSON. */
export const getJson = async <T>(path: string): Promise<T> => (await request(path)).json() as Promise<T>;

/** Gets bytes. */
export const getBytes = async (path: string): Promise<ArrayBuffer> => (await request(path)).arrayBuffer();

/** Posts JSON; returns JSON. */
export const postJson = async <T>(path: string, body: unknown): Promise<T> =>
  (await request(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json() as Promise<T>;

/** Posts a file; returns JSON. */
export const postFile = async <T>(path: string, file: Blob): Promise<T> =>
  (await request(path, { method: "POST", headers: { "content-type": "application/octet-stream" }, body: file })).json() as Promise<T>;

/** Deletes what is at an address. */
export const deleteAt = async (path: string): Promise<void> => void (await request(path, { method: "DELETE" }));

/** The progress of a job: the fraction that is done, and the name of the stage. */
export interface Progress {
  fraction: number;
  stage: string;
}

type JobState =
  | ({ state: "running" } & Progress)
  | { state: "done"; motions: string[] }
  | { state: "failed"; error: Problem };

/** Runs a job; returns the ids of its motions. Fails if it is cancelled. */
export async function runJob(
  path: string,
  body: unknown,
  progress: (progress: Progress) => void,
  cancelled: AbortSignal,
): Promise<string[]> {
  const { job } = await postJson<{ job: number }>(path, body);
  cancelled.addEventListener("abort", () => void deleteAt(`/api/jobs/${job}`).catch(() => undefined));
  for (;;) {
    const state = await getJson<JobState>(`/api/jobs/${job}`);
    if (state.state === "done") return state.motions;
    if (state.state === "failed") throw new StudioError(state.error);
    progress(state);
  }
}

/** A take in the list. */
export interface TakeRow {
  id: string;
  name: string;
  frames: number;
  rate_hz: number;
  secs: number;
  actors: string[];
  licence: string;
  credit: string;
  source: string;
  history: string;
  segments: number;
  tags: string[];
  speed_mps: number | null;
}

export interface Tag {
  name: string;
  start: number;
  end: number;
  maker: string;
}

export interface Segment extends Tag {
  id: number | null;
  actor: number | null;
  labels: [string, string, string][];
}

/** The tags and segments of a take. */
export interface Marks {
  tags: Tag[];
  segments: Segment[];
}

export interface Source {
  take: string;
  actor: number;
}

export interface Placement {
  source: Source;
  source_start: number;
  source_end: number;
  start: number;
  frames: number;
  mirrored?: boolean;
}

export interface Plan {
  rate_hz: number;
  cost: { total: number; parts: Record<string, number> };
  actors: { name: string; placements: Placement[] }[];
}

export interface Candidate {
  source: Source;
  from_frame: number;
  cost: Record<string, number>;
}

export interface Choice {
  actor: number;
  placement: number;
  taken: number;
  candidates: Candidate[];
}

/** The description of a motion, without its poses. */
export interface About {
  id: string;
  name: string;
  marks: Marks;
  licence?: string;
  credit?: string;
  source?: string;
  history?: string;
  plan?: Plan | null;
  trace?: { choices: Choice[] } | null;
  /** Whether single pieces of the plan can be swapped. */
  can_swap?: boolean;
  /** What the panel draws around the motion. */
  overlay?: Overlay | null;
  command?: string;
  files?: string[];
  notes?: [string, string][];
  shown_beside?: string | null;
  warnings?: Problem[];
}

/** Two trajectories on an attractor. */
export interface Attractor {
  cell_secs: number;
  original: [number, number, number][];
  variation: [number, number, number][];
  /** The cell of the original that plays in each cell of time. */
  played: number[];
}

/** The path of an in-between motion through the graph of each joint. */
export interface GraphPath {
  step_secs: number;
  joints: { joint: string; orientations: number; states: number[]; costs: (number | null)[] }[];
}

/** A gap between two poses that was filled. */
export interface FilledGap {
  start_secs: number;
  end_secs: number;
  /** The start of the most similar example, as take@frame. */
  nearest: string | null;
  path: GraphPath | null;
}

/** What panels draw around their results. */
export interface Overlay {
  ground?: { pieces: Piece[]; landings: [number, number, number, number][] };
  attractor?: Attractor;
  gaps?: FilledGap[];
  world?: World;
}

/** A piece of ground in profile: distance and height of its points, in metres. */
export type Piece = [number, number][];
