// Every key of the studio, once: the handlers and the panel that lists them are made of the same table.
import { button, h } from "./dom.ts";

export interface Shortcut {
  /** As a browser names it, with Ctrl+ and Shift+ before it. */
  keys: string[];
  does: string;
  act: () => void;
}

export interface Group {
  name: string;
  shortcuts: Shortcut[];
}

/** How keys are called on the panel. */
const CALLED: Record<string, string> = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };

/** A key in words; a capital letter is typed with Shift. */
function called(key: string): string {
  const parts = key === "+" ? ["+"] : key.split("+");
  const last = parts.pop() ?? "";
  const shifted = /^[A-Z]$/.test(last) ? ["Shift"] : [];
  return [...parts, ...shifted, CALLED[last] ?? (last.length === 1 ? last.toUpperCase() : last)].join(" + ");
}

const spelled = (event: KeyboardEvent): string =>
  [(event.ctrlKey || event.metaKey) && "Ctrl+", event.shiftKey && event.key.length > 1 && "Shift+", event.key]
    .filter((part) => part !== false)
    .join("");

/** Listens for all of them, but not while somebody types. */
export function listen(groups: Group[]): void {
  const table = new Map(groups.flatMap(({ shortcuts }) => shortcuts.flatMap((one) => one.keys.map((key) => [key, one] as const))));
  addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const types = target.closest("input:not([type=checkbox]):not([type=range]), textarea, select, dialog[open]") !== null;
    const presses = event.key === " " && target.closest("button, a, summary, input") !== null;
    if (types || presses || event.altKey || event.defaultPrevented) return;
    const found = table.get(spelled(event)) ?? table.get(spelled(event).toLowerCase());
    if (!found) return;
    event.preventDefault();
    found.act();
  });
}

/** The panel that lists them. */
export function panel(groups: Group[]): HTMLDialogElement {
  const sections = groups.map(({ name: title, shortcuts }) =>
    h(
      "section",
      {},
      h("h3", {}, title),
      h(
        "dl",
        {},
        ...shortcuts.flatMap(({ keys, does }) => [
          h("dt", {}, ...keys.map((key) => h("kbd", {}, called(key)))),
          h("dd", {}, does),
        ]),
      ),
    ),
  );
  const dialog = h("dialog", { class: "shortcuts", aria: { label: "Keys" } });
  dialog.append(h("header", {}, h("h2", {}, "Keys"), button("×", "Close", () => dialog.close(), { class: "close" })), ...sections);
  return dialog;
}
