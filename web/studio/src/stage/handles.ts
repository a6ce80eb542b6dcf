// Draggable points over the stage. They are buttons, so that the keyboard can reach them.
import { h } from "../dom.ts";

/** A draggable point. */
export interface Handle {
  label: string;
  along: number;
  up: number;
}

/** Handlers; `index` is the index of the point. */
export interface HandleActions {
  /** The point was selected. */
  choose: (index: number) => void;
  /** The point is moved. */
  move: (index: number, along: number, up: number) => void;
  /** The move is complete. */
  done: () => void;
  /** Handles a key; returns false if it has no meaning. */
  key: (index: number, key: string) => boolean;
}

/** Distance by which an arrow key moves a point, in metres, with and without Shift. */
const FAR_M = 0.1;
const NEAR_M = 0.01;
const ARROWS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Handles {
  readonly element = h("div", { class: "handles", hidden: true, aria: { label: "Points of the ground" }, role: "group" });
  private handles: Handle[] = [];
  private readonly actions: HandleActions;
  private readonly at: (event: PointerEvent) => { along: number; up: number } | null;

  /** `at` returns the position of a pointer in the profile. */
  constructor(actions: HandleActions, at: (event: PointerEvent) => { along: number; up: number } | null) {
    this.actions = actions;
    this.at = at;
  }

  /** Sets the points; existing buttons are reused and keep the focus. */
  set(handles: Handle[]): void {
    this.handles = handles;
    while (this.element.children.length > handles.length) this.element.lastElementChild?.remove();
    while (this.element.children.length < handles.length) this.element.append(this.button(this.element.children.length));
    handles.forEach(({ label, along, up }, index) => {
      const button = this.element.children[index]!;
      button.setAttribute("aria-label", `${label}: ${along.toFixed(2)} m along, ${up.toFixed(2)} m up`);
      button.setAttribute("title", `${along.toFixed(2)} m along, ${up.toFixed(2)} m up`);
    });
  }

  /** Positions the points; `toPixels` returns their position in pixels of the stage. */
  arrange(toPixels: (along: number, up: number) => { x: number; y: number }): void {
    this.handles.forEach(({ along, up }, index) => {
      const { x, y } = toPixels(along, up);
      (this.element.children[index] as HTMLElement).style.transform = `translate(${x}px, ${y}px)`;
    });
  }

  focus(index: number): void {
    (this.element.children[index] as HTMLElement | undefined)?.focus();
  }

  private button(index: number): HTMLButtonElement {
    const button = h("button", { type: "button", class: "handle" });
    button.addEventListener("focus", () => this.actions.choose(index));
    button.addEventListener("keydown", (event) => {
      const by = ARROWS[event.key];
      const handle = this.handles[index];
      if (by && handle) {
        const far = event.shiftKey ? FAR_M : NEAR_M;
        this.actions.move(index, handle.along + far * by[0], handle.up + far * by[1]);
        this.actions.done();
      } else if (!this.actions.key(index, event.key)) return;
      event.preventDefault();
    });
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      button.focus();
      button.setPointerCapture(event.pointerId);
      const drag = (now: PointerEvent) => {
        const to = this.at(now);
        if (to) this.actions.move(index, to.along, to.up);
      };
      button.addEventListener("pointermove", drag);
      const stop = () => {
        button.removeEventListener("pointermove", drag);
        this.actions.done();
      };
      button.addEventListener("pointerup", stop, { once: true });
    });
    return button;
  }
}
