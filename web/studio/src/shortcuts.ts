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
const CALLED: Record<string, string> = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

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
  const name = (key: string) =>
    key.split("+").map((part, index, all) => (index < all.length - 1 ? part : (CALLED[part] ?? part.toUpperCase()))).join(" + ");
  const sections = groups.map(({ name: title, shortcuts }) =>
    h(
      "section",
      {},
      h("h3", {}, title),
      h(
        "dl",
        {},
        ...shortcuts.flatMap(({ keys, does }) => [
          h("dt", {}, ...keys.flatMap((key, index) => [index > 0 && " ", h("kbd", {}, name(key))])),
          h("dd", {}, does),
        ]),
      ),
    ),
  );
  const dialog = h("dialog", { class: "shortcuts", aria: { label: "Keys" } });
  dialog.append(h("header", {}, h("h2", {}, "Keys"), button("×", "Close", () => dialog.close(), { class: "close" })), ...sections);
  return dialog;
}
