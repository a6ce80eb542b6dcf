// What the page has to say: errors as a sentence with a code and a hint, warnings, and what goes on.
import { type Fault, type Progress, type Told, asFault } from "./api.ts";
import { button, h } from "./dom.ts";

/** How long good news stays. */
const GOOD_MS = 4000;
/** How long a warning stays. */
const WARNING_MS = 12_000;

export class Notices {
  readonly element = h("div", { class: "notices", role: "status", aria: { live: "polite" } });

  /** Something went wrong. It stays until it is read. */
  fault(thrown: unknown): void {
    const fault: Fault = asFault(thrown);
    this.put("fault", fault.told);
  }

  /** Something was found on the way. */
  warn(told: Told): void {
    this.put("warning", told);
  }

  /** What was found on the way to what is seen now, instead of what was found before. */
  warnOf(all: Told[]): void {
    for (const old of this.element.querySelectorAll(".warning")) old.remove();
    for (const told of all) this.warn(told);
  }

  /** Something went well. */
  good(message: string): void {
    const note = h("div", { class: "notice good" }, message);
    this.element.append(note);
    setTimeout(() => note.remove(), GOOD_MS);
  }

  private put(kind: "fault" | "warning", { code, message, hint, place, count }: Told): void {
    const where = [
      place.line !== undefined && `line ${place.line}`,
      place.frame !== undefined && `frame ${place.frame}`,
      place.joint !== undefined && `joint ${place.joint}`,
      (count ?? 1) > 1 && `${count} times`,
    ].filter((word) => word !== false);
    const what = h("p", {}, message, where.length > 0 && ` (${where.join(", ")})`);
    const more = [h("p", { class: "hint" }, hint), h("code", {}, code)];
    // A fault is told whole. A warning takes no more room over the figures than its line, until somebody asks.
    const told = kind === "fault" ? [what, ...more] : [h("details", {}, h("summary", { title: hint }, what), ...more)];
    const note = h("div", { class: `notice ${kind}`, ...(kind === "fault" ? { role: "alert" } : {}) }, ...told, button("×", "Close", () => note.remove(), { class: "close" }));
    // The same again says nothing new.
    for (const old of this.element.querySelectorAll(".notice")) if (old.textContent === note.textContent) old.remove();
    this.element.append(note);
    if (kind === "warning") setTimeout(() => note.querySelector("details[open]") ?? note.remove(), WARNING_MS);
    while (this.element.children.length > 4) this.element.firstElementChild?.remove();
  }

  /** Long work: shows how far it is, and can be cancelled. */
  work<T>(name: string, task: (progress: (progress: Progress) => void, cancelled: AbortSignal) => Promise<T>): Promise<T | null> {
    const abort = new AbortController();
    const bar = h("progress", { max: "1", value: "0" });
    const doing = h("span", {}, name);
    const note = h("div", { class: "notice working" }, doing, bar, button("Cancel", "Cancel", () => abort.abort()));
    // What is done in a blink is not announced.
    const shown = setTimeout(() => this.element.append(note), 250);
    const progress = ({ share, doing: what }: Progress) => {
      bar.value = share;
      doing.textContent = `${name}: ${what}`;
    };
    return task(progress, abort.signal)
      .catch((thrown: unknown) => {
        if (asFault(thrown).told.code !== "studio/cancelled") this.fault(thrown);
        return null;
      })
      .finally(() => {
        clearTimeout(shown);
        note.remove();
      });
  }
}
