// What the page asks of the server. Things are named by number; every refusal is a sentence with a code and a hint.
import type { World } from "./stage/world.ts";

/** Where in what was given something is wrong. */
export interface Place {
  line?: number;
  column?: number;
  frame?: number;
  joint?: string;
}

/** A warning, or what a refusal says. */
export interface Told {
  code: string;
  message: string;
  hint: string;
  place: Place;
  count?: number;
}

/** A refusal. */
export class Fault extends Error {
  readonly told: Told;

  constructor(told: Told) {
    super(told.message);
    this.told = told;
  }
}

/** Anything that was thrown, as a refusal. */
export function asFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new Fault({ code: "page/bug", message, hint: "Reload the page; if it stays so, please report it.", place: {} });
}

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    const hint = "Is `marey studio` still running? Start it again, and open the address that it prints.";
    throw new Fault({ code: "page/no-answer", message: "The studio does not answer.", hint, place: {} });
  }
  if (response.ok || response.status === 304) return response;
  let told: Told;
  try {
    told = (await response.json()) as Told;
  } catch {
    told = { code: "page/no-answer", message: `The studio answered ${response.status}.`, hint: "Reload the page.", place: {} };
  }
  throw new Fault(told);
}

/** Asks for JSON. */
export const ask = async <T>(path: string): Promise<T> => (await request(path)).json() as Promise<T>;

/** Asks for bytes. */
export const bytes = async (path: string): Promise<ArrayBuffer> => (await request(path)).arrayBuffer();

/** Sends JSON and gets JSON. */
export const send = async <T>(path: string, body: unknown): Promise<T> =>
  (await request(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json() as Promise<T>;

/** Sends a file and gets JSON. */
export const upload = async <T>(path: string, file: Blob): Promise<T> =>
  (await request(path, { method: "POST", headers: { "content-type": "application/octet-stream" }, body: file })).json() as Promise<T>;

/** Says that something is not wanted any more. */
export const drop = async (path: string): Promise<void> => void (await request(path, { method: "DELETE" }));

/** How far long work is. */
export interface Progress {
  share: number;
  doing: string;
}

type News =
  | ({ state: "running" } & Progress)
  | { state: "done"; motions: string[] }
  | { state: "failed"; fault: Told };

/** Has long work done; the motions that came of it. Ends with a refusal when it is cancelled. */
export async function work(
  path: string,
  body: unknown,
  progress: (progress: Progress) => void,
  cancelled: AbortSignal,
): Promise<string[]> {
  const { job } = await send<{ job: number }>(path, body);
  cancelled.addEventListener("abort", () => void drop(`/api/jobs/${job}`).catch(() => undefined));
  for (;;) {
    const news = await ask<News>(`/api/jobs/${job}`);
    if (news.state === "done") return news.motions;
    if (news.state === "failed") throw new Fault(news.fault);
    progress(news);
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

/** What can be edited of a take. */
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

/** Everything about a motion but its poses. */
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
  /** Whether a piece can be put in the place of another. */
  can_swap?: boolean;
  /** What is shown around it, in the words of the panel that made it. */
  shows?: Shows | null;
  command?: string;
  files?: string[];
  notes?: [string, string][];
  beside?: string | null;
  warnings?: Told[];
}

/** Two ways around an attractor. */
export interface Attractor {
  cell_secs: number;
  original: [number, number, number][];
  variation: [number, number, number][];
  /** Which cell of the original is danced in each cell of time. */
  played: number[];
}

/** The way of an in-between through the graph of each joint. */
export interface GraphWay {
  step_secs: number;
  joints: { joint: string; orientations: number; states: number[]; costs: (number | null)[] }[];
}

/** What panels show around their results. */
export interface Shows {
  ground?: { pieces: Piece[]; landings: [number, number, number, number][] };
  attractor?: Attractor;
  way?: GraphWay;
  world?: World;
}

/** A piece of ground in profile: places along the way and their heights, in metres. */
export type Piece = [number, number][];
