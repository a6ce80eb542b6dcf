// Playback controls.
import type { App } from "../app.ts";
import { button, h } from "../dom.ts";
import { formatTime, rateOf } from "./scale.ts";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

/** Pauses, and steps by frames of the active motion. */
export function step(app: App, frames: number): void {
  const { clock } = app;
  if (clock.isRunning) clock.toggle();
  const rate = rateOf(app);
  clock.seek((Math.round(clock.now * rate) + frames) / rate);
}

/** Changes to the next higher or lower speed. */
export function changeSpeed(app: App, by: 1 | -1): void {
  const index = SPEEDS.findLastIndex((speed) => speed <= app.clock.speed + 1e-6);
  app.clock.setSpeed(SPEEDS[Math.min(Math.max(index + by, 0), SPEEDS.length - 1)]!);
}

export function transport(app: App): HTMLElement {
  const { clock } = app;
  const play = button("▶", "Play or pause (Space)", () => clock.toggle(), { class: "play", aria: { label: "Play" } });
  const time = h("output", { class: "time", title: "Minutes and seconds" });
  const frame = h("input", {
    type: "number",
    class: "frame",
    min: "0",
    step: "1",
    title: "Frame number; type one to go there",
    aria: { label: "Frame" },
    on: { change: () => clock.seek(Number(frame.value) / rateOf(app)) },
  });
  const of = h("span", { class: "of" });
  const speed = h(
    "select",
    { title: "Speed", aria: { label: "Speed" }, on: { change: () => clock.setSpeed(Number(speed.value)) } },
    ...SPEEDS.map((value) => h("option", { value: String(value) }, `${value}×`)),
  );
  const a = button("A", "Set the start of the loop (A)", () => clock.mark("a"));
  const b = button("B", "Set the end of the loop (B)", () => clock.mark("b"));
  const whole = button("⟲ all", "Clear the loop (\\)", () => clock.clearLoop(), { class: "whole" });
  const update = () => {
    const rate = rateOf(app);
    play.textContent = clock.isRunning ? "❚❚" : "▶";
    play.setAttribute("aria-label", clock.isRunning ? "Pause" : "Play");
    time.value = `${formatTime(clock.now)} / ${formatTime(clock.secs)}`;
    if (document.activeElement !== frame) frame.value = String(Math.floor(clock.now * rate + 1e-6));
    of.textContent = app.lead ? `of ${app.lead.motion.frames} at ${Number(rate.toFixed(2))} Hz` : "";
    speed.value = String(clock.speed);
    whole.disabled = clock.loop === null;
    a.setAttribute("aria-pressed", String(clock.loop !== null));
    b.setAttribute("aria-pressed", String(clock.loop !== null));
  };
  clock.onChange(update);
  app.on("shown", update);
  update();
  return h(
    "div",
    { class: "transport", role: "toolbar", aria: { label: "Playback" } },
    button("|◀", "Go to the start (Home)", () => clock.seek(0), { aria: { label: "Go to the start" } }),
    button("◀", "Previous frame (←)", () => step(app, -1), { aria: { label: "Previous frame" } }),
    play,
    button("▶", "Next frame (→)", () => step(app, 1), { class: "thin", aria: { label: "Next frame" } }),
    speed,
    h("span", { class: "group" }, a, b, whole),
    time,
    h("label", { class: "group" }, h("span", { class: "dim" }, "frame"), frame, of),
  );
}
