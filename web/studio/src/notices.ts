// Notices: errors, warnings, confirmations and the progress of jobs.
import { type Problem, type Progress, postJson, toError } from "./api.ts";
import { button, h } from "./dom.ts";

/** How long a confirmation stays. */
const GOOD_MS = 4000;
/** How long a warning stays. */
const WARNING_MS = 12_000;

export class Notices {
  readonly element = h("div", { class: "notices", role: "status", aria: { live: "polite" } });

  /** Shows an error until the user closes it. */
  error(thrown: unknown): void {
    this.put("error", toError(thrown).problem);
  }

  /** Shows a warning. */
  warn(problem: Problem): void {
    this.put("warning", problem);
  }

  /** Shows these warnings instead of the previous ones. */
  setWarnings(all: Problem[]): void {
    for (const old of this.element.querySelectorAll(".warning")) old.remove();
    for (const problem of all) this.warn(problem);
  }

  /** Shows a confirmation. */
  good(message: string): void {
    const note = h("div", { class: "notice good" }, message);
    this.element.append(note);
    setTimeout(() => note.remove(), GOOD_MS);
  }

  private put(kind: "error" | "warning", { code, message, hint, place, count }: Problem): void {
    const where = [
      place.line !== undefined && `line ${place.line}`,
      place.frame !== undefined && `frame ${place.frame}`,
      place.joint !== undefined && `joint ${place.joint}`,
      (count ?? 1) > 1 && `${count} times`,
    ].filter((word) => word !== false);
    const what = h("p", {}, message, where.length > 0 && ` (${where.join(", ")})`);
    const more = [h("p", { class: "hint" }, hint), ...this.remedies(code), h("code", {}, code)];
    // A warning shows only its first line until the user opens it.
    const content = kind === "error" ? [what, ...more] : [h("details", {}, h("summary", { title: hint }, what), ...more)];
    const note = h("div", { class: `notice ${kind}`, ...(kind === "error" ? { role: "alert" } : {}) }, ...content, button("×", "Close", () => note.remove(), { class: "close" }));
    // A repeated notice replaces the earlier one.
    for (const old of this.element.querySelectorAll(".notice")) if (old.textContent === note.textContent) old.remove();
    this.element.append(note);
    if (kind === "warning") setTimeout(() => note.querySelector("details[open]") ?? note.remove(), WARNING_MS);
    while (this.element.children.length > 4) this.element.firstElementChild?.remove();
  }

  /** Buttons for what the user can do if the corpus was moved or replaced. */
  private remedies(code: string): HTMLElement[] {
    const post = (path: string, done: string) => () => void postJson(path, {}).then(() => this.good(done), (thrown: unknown) => this.error(thrown));
    const save = button("Save under a new name", "Copies the corpus with all changes to a new file", post("/api/corpus/save-as", "Saved under a new name beside the old file."));
    const reopen = button("Open the file that is there now", "Continues with the new file", post("/api/corpus/reopen", "Opened."));
    if (code === "corpus/moved") return [save, reopen];
    return code === "corpus/overwritten" ? [reopen] : [];
  }

  /** Shows the progress of a task, with a button to cancel it. */
  work<T>(name: string, task: (progress: (progress: Progress) => void, cancelled: AbortSignal) => Promise<T>): Promise<T | null> {
    const abort = new AbortController();
    const bar = h("progress", { max: "1", value: "0" });
    const label = h("span", {}, name);
    const note = h("div", { class: "notice working" }, label, bar, button("Cancel", "Cancel", () => abort.abort()));
    // Short tasks are not shown.
    const shown = setTimeout(() => this.element.append(note), 250);
    const progress = ({ fraction, stage }: Progress) => {
      bar.value = fraction;
      label.textContent = `${name}: ${stage}`;
    };
    return task(progress, abort.signal)
      .catch((thrown: unknown) => {
        if (!toError(thrown).problem.code.endsWith("/cancelled")) this.error(thrown);
        return null;
      })
      .finally(() => {
        clearTimeout(shown);
        note.remove();
      });
  }
}
