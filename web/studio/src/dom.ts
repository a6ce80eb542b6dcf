// Helpers that create elements. Text always becomes a text node, so that names from files cannot become markup.

type Child = Node | string | number | null | undefined | false;
type Handlers = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };
interface Props {
  class?: string;
  id?: string;
  title?: string;
  type?: string;
  value?: string;
  placeholder?: string;
  href?: string;
  download?: string;
  src?: string;
  alt?: string;
  min?: string;
  max?: string;
  step?: string;
  name?: string;
  for?: string;
  role?: string;
  tabindex?: number;
  loading?: "lazy";
  checked?: boolean;
  disabled?: boolean;
  hidden?: boolean;
  multiple?: boolean;
  aria?: Record<string, string>;
  data?: Record<string, string>;
  on?: Handlers;
}

const GROUPED = new Set(["aria", "data", "on"]);

/** Makes an element with attributes, handlers and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (GROUPED.has(name) || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const [name, value] of Object.entries(props.aria ?? {})) element.setAttribute(`aria-${name}`, value);
  for (const [name, value] of Object.entries(props.data ?? {})) element.dataset[name] = value;
  for (const [name, handler] of Object.entries(props.on ?? {})) {
    element.addEventListener(name, handler as EventListener);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false).map(asNode));
  return element;
}

const asNode = (child: Node | string | number): Node | string => (child instanceof Node ? child : String(child));

/** Replaces the children of an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined && child !== false).map(asNode));
}

/** A button with a label, a tooltip and an action. */
export function button(label: string, title: string, act: () => void, more: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", title, ...more, on: { click: act, ...more.on } }, label);
}

/** A slider with its name, its value and its unit. */
export function slider(
  name: string,
  unit: string,
  range: { min: number; max: number; step: number; value: number },
  act: (value: number) => void,
): HTMLElement {
  const shown = h("output", {}, `${range.value} ${unit}`);
  const input = h("input", {
    type: "range",
    min: String(range.min),
    max: String(range.max),
    step: String(range.step),
    value: String(range.value),
    on: {
      input: () => {
        shown.value = `${input.value} ${unit}`;
        act(Number(input.value));
      },
    },
  });
  return h("label", { class: "slider" }, h("span", {}, name, shown), input);
}

/** A check box with a label and a tooltip. */
export function checkbox(name: string, title: string, checked: boolean, act: (on: boolean) => void): HTMLLabelElement {
  const input = h("input", { type: "checkbox", checked, on: { change: () => act(input.checked) } });
  return h("label", { class: "tick", title }, input, name);
}

/** A small coloured square. */
export function swatch(colour: string): HTMLElement {
  const square = h("i", { class: "swatch" });
  square.style.background = colour;
  return square;
}

/** A select element with options as pairs of value and label. */
export function chooser(name: string, options: [string, string][], act?: (value: string) => void): HTMLSelectElement {
  const select = h("select", { aria: { label: name } }, ...options.map(([value, label]) => h("option", { value }, label)));
  if (act) select.addEventListener("change", () => act(select.value));
  return select;
}
