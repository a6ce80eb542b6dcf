// Foot contacts: one bar for each heel and ball.
import type { App } from "../app.ts";
import { h } from "../dom.ts";
import type { Actor } from "../motion.ts";
import { LEFT, RIGHT } from "../stage/colours.ts";

/** The rows: heels above balls, left above right. */
const ROWS = ["LeftFoot", "LeftToes", "RightFoot", "RightToes"];

/** The track of an actor's contacts; null if there are none. */
export function contacts(app: App, actor: Actor): HTMLElement | null {
  if (actor.contacts.length === 0) return null;
  const canvas = h("canvas", { role: "img", aria: { label: `Foot contacts of ${actor.name}` } });
  const draw = () => {
    const { clientWidth, clientHeight } = canvas;
    if (clientWidth === 0) return;
    // Browsers limit the width of a canvas.
    const ratio = Math.min(devicePixelRatio, 8192 / clientWidth);
    canvas.width = Math.round(clientWidth * ratio);
    canvas.height = Math.round(clientHeight * devicePixelRatio);
    const paint = canvas.getContext("2d");
    const lead = app.lead;
    if (!paint || !lead) return;
    const perFrame = canvas.width / Math.max(app.clock.secs * lead.motion.rateHz, 1);
    const high = canvas.height / ROWS.length;
    for (const { role, start, end } of actor.contacts) {
      const row = ROWS.indexOf(role);
      if (row < 0) continue;
      paint.fillStyle = role.startsWith("Left") ? LEFT : RIGHT;
      paint.globalAlpha = role.endsWith("Toes") ? 0.6 : 0.95;
      paint.fillRect(start * perFrame, row * high + 0.5, Math.max((end - start) * perFrame - 1, 1), high - 1);
    }
  };
  new ResizeObserver(draw).observe(canvas);
  return h("div", { class: "track feet", data: { name: app.lead!.motion.actors.length > 1 ? `${actor.name} feet` : "feet" } }, canvas);
}
