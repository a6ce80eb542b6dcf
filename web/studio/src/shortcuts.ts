// Keyboard shortcuts: one table for the handlers and for the dialog that lists them.
import { button, h } from "./dom.ts";

export interface Shortcut {
  /** Names of the keys as in `KeyboardEvent.key`, with the prefixes Ctrl+ and Shift+. */
  keys: string[];
  does: string;
  act: () => void;
}

export interface Group {
  name: string;
  shortcuts: Shortcut[];
}

/** Labels of keys in the dialog. */
const KEY_LABELS: Record<string, string> = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };

/** The label of a key; a capital letter is typed with Shift. */
function keyLabel(key: string): string {
  const parts = key === "+" ? ["+"] : key.split("+");
  const last = parts.pop() ?? "";
  const shifted = /^[A-Z]$/.test(last) ? ["Shift"] : [];
  return [...parts, ...shifted, KEY_LABELS[last] ?? (last.length === 1 ? last.toUpperCase() : last)].join(" + ");
}

const keyName = (event: KeyboardEvent): string =>
  [(event.ctrlKey || event.metaKey) && "Ctrl+", event.shiftKey && event.key.length > 1 && "Shift+", event.key]
    .filter((part) => part !== false)
    .join("");

/** Handles all shortcuts, except while the user types. */
export function listen(groups: Group[]): void {
  const table = new Map(groups.flatMap(({ shortcuts }) => shortcuts.flatMap((one) => one.keys.map((key) => [key, one] as const))));
  addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const isTyping = target.closest("input:not([type=checkbox]):not([type=range]), textarea, select, dialog[open]") !== null;
    const isPressing = event.key === " " && target.closest("button, a, summary, input") !== null;
    if (isTyping || isPressing || event.altKey || event.defaultPrevented) return;
    const found = table.get(keyName(event)) ?? table.get(keyName(event).toLowerCase());
    if (!found) return;
    event.preventDefault();
    found.act();
  });
}

/** The dialog that lists all shortcuts. */
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
          h("dt", {}, ...keys.map((key) => h("kbd", {}, keyLabel(key)))),
          h("dd", {}, does),
        ]),
      ),
    ),
  );
  const dialog = h("dialog", { class: "shortcuts", aria: { label: "Keyboard shortcuts" } });
  dialog.append(h("header", {}, h("h2", {}, "Keyboard shortcuts"), button("×", "Close", () => dialog.close(), { class: "close" })), ...sections);
  return dialog;
}
