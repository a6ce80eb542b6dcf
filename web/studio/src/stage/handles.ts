// Points over the stage that can be dragged: buttons, so that the keyboard reaches them.
import { fill, h } from "../dom.ts";

/** A point to be moved. */
export interface Handle {
  label: string;
  along: number;
  up: number;
}

/** What is done to them; numbers are theirs, in order. */
export interface Acts {
  /** A point was taken hold of, or chosen with the keyboard. */
  choose: (index: number) => void;
  /** It is to go somewhere. */
  move: (index: number, along: number, up: number) => void;
  /** It was let go. */
  done: () => void;
  /** A key on it; whether it was for it. */
  key: (index: number, key: string) => boolean;
}

/** How far an arrow key moves a point, in metres; with Shift, and without. */
const FAR_M = 0.1;
const NEAR_M = 0.01;
const ARROWS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Handles {
  readonly element = h("div", { class: "handles", hidden: true, aria: { label: "Points of the ground" }, role: "group" });
  private handles: Handle[] = [];
  private readonly acts: Acts;
  private readonly at: (event: PointerEvent) => { along: number; up: number } | null;

  /** `at` says where a pointer is in the profile. */
  constructor(acts: Acts, at: (event: PointerEvent) => { along: number; up: number } | null) {
    this.acts = acts;
    this.at = at;
  }

  /** Shows points; those that stay keep the focus. */
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

  /** Puts them where they are on the page; `place` says where that is, in pixels of the stage. */
  lay(place: (along: number, up: number) => { x: number; y: number }): void {
    this.handles.forEach(({ along, up }, index) => {
      const { x, y } = place(along, up);
      (this.element.children[index] as HTMLElement).style.transform = `translate(${x}px, ${y}px)`;
    });
  }

  focus(index: number): void {
    (this.element.children[index] as HTMLElement | undefined)?.focus();
  }

  clear(): void {
    fill(this.element);
    this.handles = [];
  }

  private button(index: number): HTMLButtonElement {
    const button = h("button", { type: "button", class: "handle" });
    button.addEventListener("focus", () => this.acts.choose(index));
    button.addEventListener("keydown", (event) => {
      const by = ARROWS[event.key];
      const handle = this.handles[index];
      if (by && handle) {
        const far = event.shiftKey ? FAR_M : NEAR_M;
        this.acts.move(index, handle.along + far * by[0], handle.up + far * by[1]);
        this.acts.done();
      } else if (!this.acts.key(index, event.key)) return;
      event.preventDefault();
    });
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      button.focus();
      button.setPointerCapture(event.pointerId);
      const drag = (now: PointerEvent) => {
        const to = this.at(now);
        if (to) this.acts.move(index, to.along, to.up);
      };
      button.addEventListener("pointermove", drag);
      const stop = () => {
        button.removeEventListener("pointermove", drag);
        this.acts.done();
      };
      button.addEventListener("pointerup", stop, { once: true });
    });
    return button;
  }
}
