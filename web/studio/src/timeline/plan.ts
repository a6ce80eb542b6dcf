// The plan of a result: one block for each piece, named after its source. A click shows the alternatives.
import type { App } from "../app.ts";
import { h } from "../dom.ts";
import { colourOfName } from "../stage/colours.ts";
import { percent } from "./scale.ts";

/** Called with the indices of the actor and the piece. */
export type Why = (actor: number, placement: number) => void;

export function plan(app: App, why: Why): HTMLElement[] {
  const made = app.lead?.about.plan;
  if (!made) return [];
  return made.actors.map(({ name, placements }, actor) => {
    const row = h("div", { class: "track plan", data: { name: made.actors.length > 1 ? `${name} plan` : "plan" } });
    placements.forEach(({ source, source_start, source_end, start, frames }, placement) => {
      const block = h(
        "button",
        {
          type: "button",
          class: "piece",
          title: `${source.take}, frames ${source_start} to ${source_end}. Click: why this?`,
          aria: { label: `piece ${placement + 1}: ${source.take}, frames ${source_start} to ${source_end}` },
          on: { click: () => why(actor, placement) },
        },
        h("span", {}, source.take),
      );
      block.style.left = percent(app, start / made.rate_hz);
      block.style.width = percent(app, frames / made.rate_hz);
      block.style.setProperty("--mark", colourOfName(source.take));
      row.append(block);
    });
    return row;
  });
}
