// The answers of a rater: sent until the server has stored them, and kept in the browser until then.

/** What the server says about the study. */
export interface AboutStudy {
  title: string;
  welcome: string;
  is_pair: boolean;
  question: string | null;
  scales: { question: string; low: string; high: string; points: number }[];
  answered: boolean[];
}

/** How long to wait before an answer is sent again, in milliseconds. */
const RETRY_MS = 1500;

/** A refusal of the server. */
export class Refused extends Error {}

/** Gets or posts JSON; throws `Refused` if the server says no, and another error if it cannot be reached. */
export async function ask<T>(path: string, body?: unknown): Promise<T> {
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, body === undefined ? {} : post);
  const answer = (await response.json()) as T & { message?: string; hint?: string };
  if (response.ok) return answer;
  // An overloaded or ending server may answer later.
  const text = `${answer.message ?? response.statusText}. ${answer.hint ?? ""}`;
  throw response.status >= 500 ? new Error(text) : new Refused(text);
}

/** The values that were chosen, also after a reload. */
export class Draft {
  private readonly key: string;

  constructor(rater: string) {
    this.key = `marey-draft-${rater}`;
  }

  /** The values at a position; null for what was not chosen. */
  read(position: number, count: number): (number | null)[] {
    const empty = Array.from({ length: count }, () => null);
    try {
      const kept = JSON.parse(localStorage.getItem(this.key) ?? "null") as { position: number; values: (number | null)[] } | null;
      return kept?.position === position && kept.values.length === count ? kept.values : empty;
    } catch {
      // The browser keeps nothing, or something else wrote there.
      return empty;
    }
  }

  write(position: number, values: (number | null)[]): void {
    try {
      localStorage.setItem(this.key, JSON.stringify({ position, values }));
    } catch {
      // Without storage, a reload forgets what was not sent.
    }
  }
}

/** Sends an answer until it is stored; reports each failed attempt. */
export async function send(path: string, answer: unknown, failed: () => void): Promise<void> {
  for (;;) {
    try {
      await ask(path, answer);
      return;
    } catch (error) {
      if (error instanceof Refused) throw error;
      failed();
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
