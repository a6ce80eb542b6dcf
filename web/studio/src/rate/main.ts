// The page of raters: joins, shows the clips in the rater's order, and sends the answers.
import { Clock } from "../clock.ts";
import { button, fill, h } from "../dom.ts";
import { type Motion, decode } from "../motion.ts";
import { Stage } from "../stage/stage.ts";
import { type AboutStudy, Draft, ask, send } from "./answers.ts";

const [, kind = "", token = ""] = location.pathname.split("/");

/** Shows a page of text. */
function show(state: string, ...content: (Node | string)[]): void {
  document.body.className = state;
  document.body.dataset["state"] = state;
  fill(document.body, h("main", { class: "text" }, ...content));
}

const failed = (error: unknown) =>
  show("failed", h("h1", {}, "This does not work"), h("p", { class: "bad" }, error instanceof Error ? error.message : String(error)), button("Try again", "Reload the page", () => location.reload()));

/** The link with which this browser joined before. */
const joinedBefore = (): string | null => {
  try {
    return localStorage.getItem(`marey-joined-${token}`);
  } catch {
    return null;
  }
};

async function join(): Promise<void> {
  const { rater } = await ask<{ rater: string }>(`/api/join/${token}`, {});
  try {
    localStorage.setItem(`marey-joined-${token}`, rater);
  } catch {
    // Without storage, opening the link again makes a new rater.
  }
  location.replace(`/rate/${rater}`);
}

function invite(): void {
  const known = joinedBefore();
  if (known) {
    location.replace(`/rate/${known}`);
    return;
  }
  const begin = button("Take part", "Begin the study", () => join().catch(failed), { class: "primary" });
  show("invited", h("h1", {}, "Movement study"), h("p", {}, "You will see short movements and answer questions about them. No account is needed."), begin);
  begin.focus();
}

/** Everything while a rater answers. */
class Session {
  private readonly about: AboutStudy;
  private readonly draft = new Draft(token);
  private readonly stage = new Stage();
  private readonly clock = new Clock();
  private readonly frame = h("div", { class: "stage" });
  private readonly played = h("i");
  private readonly questions = h("section", { class: "questions", aria: { label: "Questions" } });
  private readonly message = h("p", { class: "message", role: "status" });
  private readonly clips = new Map<number, Promise<Motion>>();
  private readonly scales: { question: string; low: string; high: string; points: number }[];
  private position = 0;
  private current = 0;
  private values: (number | null)[] = [];
  private isSending = false;
  private isShown = false;
  private shownAt = 0;

  constructor(about: AboutStudy) {
    this.about = about;
    this.scales = about.is_pair ? [{ question: about.question ?? "", low: "A", high: "B", points: 2 }] : about.scales;
    this.stage.isSplit = about.is_pair;
    this.stage.show({ ghosts: false, trails: false, feet: false, mass: false });
    this.clock.onChange(() => {
      this.stage.set(this.clock.now);
      this.played.style.width = `${(100 * this.clock.now) / Math.max(this.clock.secs, 1e-3)}%`;
    });
    this.frame.append(this.stage.canvas, h("div", { class: "bar" }, this.played));
    if (about.is_pair) this.frame.append(h("span", { class: "side" }, "A"), h("span", { class: "side second" }, "B"));
    // The stage decides in the same way whether two views are beside each other.
    new ResizeObserver(() => {
      const { clientWidth, clientHeight } = this.frame;
      this.frame.className = `stage ${clientWidth > 0.9 * clientHeight ? "columns" : "rows"}`;
    }).observe(this.frame);
    addEventListener("keydown", (event) => this.press(event));
    let before = performance.now();
    const draw = (now: number) => {
      this.clock.advance(Math.min((now - before) / 1000, 0.25));
      before = now;
      this.stage.draw();
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
  }

  private get next(): number {
    return this.about.answered.indexOf(false);
  }

  /** The clips of a position, read once; the next ones are read ahead. */
  private read(position: number): Promise<Motion[]> {
    const numbers = this.about.is_pair ? [2 * position, 2 * position + 1] : [2 * position];
    const read = async (number: number) => {
      const response = await fetch(`/api/raters/${token}/clips/${number}`);
      if (!response.ok) throw new Error(((await response.json()) as { message: string }).message);
      return decode(await response.arrayBuffer());
    };
    return Promise.all(
      numbers.map((number) => {
        const known = this.clips.get(number) ?? read(number);
        this.clips.set(number, known);
        // A clip that could not be read is asked for again.
        known.catch(() => this.clips.delete(number));
        return known;
      }),
    );
  }

  async go(): Promise<void> {
    if (this.next < 0) {
      this.clock.setLength(0);
      show("done", h("h1", {}, "Thank you!"), h("p", {}, "All your answers are stored. You can close this page."));
      return;
    }
    this.position = this.next;
    this.values = this.draft.read(this.position, this.scales.length);
    this.current = Math.max(this.values.indexOf(null), 0);
    this.isShown = false;
    document.body.className = this.about.is_pair ? "trial pair" : "trial";
    document.body.dataset["state"] = "loading";
    fill(document.body, this.frame, this.questions);
    this.message.textContent = "";
    this.ask();
    const motions = await this.retry(() => this.read(this.position));
    for (const number of this.clips.keys()) if (number < 2 * this.position) this.clips.delete(number);
    this.stage.put(motions);
    this.clock.setLength(Math.max(...motions.map((motion) => motion.secs)));
    this.clock.seek(0);
    this.stage.frame();
    if (!this.clock.isRunning) this.clock.toggle();
    this.isShown = true;
    this.shownAt = performance.now();
    document.body.dataset["state"] = "trial";
    document.body.dataset["position"] = String(this.position);
    this.ask();
    if (this.position + 1 < this.about.answered.length) this.read(this.position + 1).catch(() => undefined);
  }

  private async retry<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        this.message.textContent = `The movement cannot be loaded; trying again. ${error instanceof Error ? error.message : ""}`;
        await new Promise((resolve) => setTimeout(resolve, 1500));
      }
    }
  }

  /** Draws the questions. */
  private ask(): void {
    const scale = ({ question, low, high, points }: (typeof this.scales)[number], index: number) => {
      const label = (point: number) => (this.about.is_pair ? (point === 1 ? low : high) : String(point));
      const point = (value: number) =>
        button(label(value), this.about.is_pair ? `The movement ${label(value)}` : `${value} of ${points}, from ${low} to ${high}`, () => this.choose(index, value), {
          role: "radio",
          disabled: this.isSending,
          aria: { checked: String(this.values[index] === value) },
        });
      return h(
        "div",
        { class: `scale${index === this.current ? " current" : ""}`, role: "radiogroup", aria: { label: question } },
        h("div", {}, question),
        h("div", { class: "points" }, ...Array.from({ length: points }, (_, at) => point(at + 1))),
        !this.about.is_pair && h("div", { class: "ends" }, h("span", {}, low), h("span", {}, high)),
      );
    };
    const isComplete = this.values.every((value) => value !== null);
    const done = this.about.answered.filter(Boolean).length;
    const controls = h(
      "div",
      { class: "controls" },
      h("span", { class: "place" }, `${done + 1} of ${this.about.answered.length}`),
      button("Again", "Play from the start (space)", () => this.again()),
      button("Next", "Store the answer (enter)", () => void this.submit(), { class: "primary", disabled: !isComplete || !this.isShown || this.isSending }),
    );
    fill(this.questions, ...this.scales.map(scale), controls, this.message);
  }

  private choose(index: number, value: number): void {
    if (this.isSending || value < 1 || value > this.scales[index]!.points) return;
    this.values[index] = value;
    this.current = Math.min(index + 1, this.scales.length - 1);
    this.draft.write(this.position, this.values);
    this.ask();
  }

  private again(): void {
    this.clock.seek(0);
    if (!this.clock.isRunning) this.clock.toggle();
  }

  private async submit(): Promise<void> {
    if (this.isSending || !this.isShown || this.values.includes(null)) return;
    this.isSending = true;
    this.ask();
    const values = this.values.map((value) => (this.about.is_pair ? value! - 1 : value!));
    const secs = (performance.now() - this.shownAt) / 1000;
    try {
      await send(`/api/raters/${token}/answers/${this.position}`, { values, secs }, () => {
        document.body.dataset["state"] = "waiting";
        this.message.textContent = "The answer is not stored yet; trying again. Leave this page open.";
      });
      this.about.answered[this.position] = true;
      this.isSending = false;
      await this.go();
    } catch (error) {
      failed(error);
    }
  }

  private press(event: KeyboardEvent): void {
    if (!document.body.classList.contains("trial") || event.ctrlKey || event.metaKey || event.altKey) return;
    const { points } = this.scales[this.current]!;
    const value = this.values[this.current] ?? null;
    const last = this.scales.length - 1;
    const acts: Record<string, () => void> = {
      " ": () => this.again(),
      Enter: () => void this.submit(),
      ArrowUp: () => this.move(Math.max(this.current - 1, 0)),
      ArrowDown: () => this.move(Math.min(this.current + 1, last)),
      ArrowLeft: () => this.set(value === null ? 1 : Math.max(value - 1, 1)),
      ArrowRight: () => this.set(value === null ? points : Math.min(value + 1, points)),
    };
    const act = acts[event.key] ?? (/^[1-9]$/.test(event.key) ? () => this.choose(this.current, Number(event.key)) : null);
    if (!act) return;
    event.preventDefault();
    act();
  }

  private move(to: number): void {
    this.current = to;
    this.ask();
  }

  /** Sets the value of the current scale, and stays there. */
  private set(value: number): void {
    const { current } = this;
    this.choose(current, value);
    this.move(current);
  }
}

async function begin(): Promise<void> {
  const about = await ask<AboutStudy>(`/api/raters/${token}`);
  document.title = about.title;
  const session = new Session(about);
  const done = about.answered.filter(Boolean).length;
  const go = () => session.go().catch(failed);
  if (done > 0) {
    await go();
    return;
  }
  const keys = about.is_pair ? "Keys: 1 or 2 chooses, enter goes on, space plays again." : "Keys: digits rate, arrows move, enter goes on, space plays again.";
  const start = button("Begin", "Show the first movement", go, { class: "primary" });
  show("welcome", h("h1", {}, about.title), h("p", {}, about.welcome), h("p", {}, `${about.answered.length} ${about.is_pair ? "pairs of movements" : "movements"}. You can reload or come back with the same link.`), h("p", { class: "keys" }, keys), start);
  start.focus();
}

if (kind === "join") invite();
else if (kind === "rate") begin().catch(failed);
else show("failed", h("h1", {}, "Movement study"), h("p", {}, "Open the link that you were given."));
