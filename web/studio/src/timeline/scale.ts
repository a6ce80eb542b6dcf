// Conversion between time and position on the timeline.
import type { App } from "../app.ts";

/** The frame rate of the active motion. */
export const rateOf = (app: App): number => app.lead?.motion.rateHz ?? 30;

/** A time as a percentage of the whole duration. */
export const percent = (app: App, secs: number): string => `${(100 * secs) / Math.max(app.clock.secs, 1e-6)}%`;

/** Positions an element from one frame of the active motion to another. */
export function setSpan(app: App, element: HTMLElement, start: number, end: number): void {
  const rate = rateOf(app);
  element.style.left = percent(app, start / rate);
  element.style.width = percent(app, (end - start) / rate);
}

/** The time under a pointer. */
export function secsAt(app: App, track: HTMLElement, event: PointerEvent | WheelEvent): number {
  const { left, width } = track.getBoundingClientRect();
  return Math.min(Math.max((event.clientX - left) / width, 0), 1) * app.clock.secs;
}

/** The frame under a pointer, in the active motion. */
export const frameAt = (app: App, track: HTMLElement, event: PointerEvent): number =>
  Math.round(secsAt(app, track, event) * rateOf(app));

/** A time as minutes and seconds. */
export function formatTime(secs: number): string {
  const minutes = Math.floor(secs / 60);
  const rest = (secs - 60 * minutes).toFixed(2).padStart(5, "0");
  return `${minutes}:${rest}`;
}
