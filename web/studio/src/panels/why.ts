// Why this? Lists the candidates for a piece with their costs; the user can swap the piece for another candidate.
import type { App } from "../app.ts";
import { button, fill, h, swatch } from "../dom.ts";
import { CLOTHING, colourOfName } from "../stage/colours.ts";

export class Why {
  readonly element = h("aside", { class: "why", hidden: true, aria: { label: "Why this?" } });
  private readonly app: App;
  private piece: { actor: number; placement: number } | null = null;

  constructor(app: App) {
    this.app = app;
    app.on("shown", () => this.build());
  }

  /** Shows the candidates for a piece. */
  show(actor: number, placement: number): void {
    this.piece = { actor, placement };
    const plan = this.app.lead?.about.plan;
    const piece = plan?.actors[actor]?.placements[placement];
    if (plan && piece) this.app.clock.seek(piece.start / plan.rate_hz + 1e-3);
    this.build();
    this.element.querySelector("button")?.focus();
  }

  close(): void {
    this.piece = null;
    this.element.hidden = true;
  }

  private build(): void {
    const about = this.app.lead?.about;
    const piece = this.piece && about?.plan?.actors[this.piece.actor]?.placements[this.piece.placement];
    if (!this.piece || !about || !piece) return this.close();
    const { actor, placement } = this.piece;
    const choice = about.trace?.choices.find((one) => one.actor === actor && one.placement === placement);
    const head = h(
      "header",
      {},
      h("h2", {}, "Why this?"),
      button("×", "Close", () => this.close(), { class: "close" }),
    );
    const what = h("p", {}, `Piece ${placement + 1}: `, h("b", {}, piece.source.take), `, frames ${piece.source_start} to ${piece.source_end}`);
    this.element.hidden = false;
    if (!choice) return fill(this.element, head, what, h("p", { class: "dim" }, "No alternatives were recorded for this piece: it belongs to the leader, or the plan was written by hand."));
    const channels = [...new Set(choice.candidates.flatMap(({ cost }) => Object.keys(cost)))].sort();
    const total = (cost: Record<string, number>) => Object.values(cost).reduce((sum, part) => sum + part, 0);
    const most = Math.max(...choice.candidates.map(({ cost }) => total(cost)), 1e-9);
    const rows = choice.candidates.map(({ source, from_frame, cost }, candidate) => {
      const isTaken = candidate === choice.taken;
      const bar = h("span", { class: "bar" });
      channels.forEach((channel, index) => {
        const part = h("i", { title: `${channel} ${(cost[channel] ?? 0).toFixed(3)}` });
        part.style.width = `${(100 * (cost[channel] ?? 0)) / most}%`;
        part.style.background = CLOTHING[index % CLOTHING.length]!;
        bar.append(part);
      });
      const name = h("span", { class: "name" }, source.take, h("small", {}, ` from ${from_frame}`));
      name.style.setProperty("--mark", colourOfName(source.take));
      return h(
        "li",
        { class: isTaken ? "taken" : "" },
        name,
        h("span", { class: "cost" }, total(cost).toFixed(3)),
        bar,
        isTaken ? h("span", { class: "dim" }, "used") : about.can_swap && button("Use", "Use this candidate instead, and realise the plan again", () => this.swap(candidate)),
      );
    });
    const next = choice.candidates.findIndex((_, index) => index > choice.taken);
    fill(
      this.element,
      head,
      what,
      h("p", { class: "legend" }, ...channels.flatMap((channel, index) => [swatch(CLOTHING[index % CLOTHING.length]!), `${channel} `]), h("span", { class: "dim" }, "cost in m², lower is better")),
      about.can_swap && button("Swap for the next best", "Use the next candidate, and realise the plan again", () => this.swap(next), { class: "primary", disabled: next < 0 }),
      h("ol", { class: "candidates" }, ...rows),
    );
  }

  private swap(candidate: number): void {
    const id = this.app.lead?.about.id;
    const chosen = this.piece;
    if (!id || !chosen) return;
    const at = this.app.clock.now;
    this.app.try(
      this.app.make("Realising again", `/api/results/${id.slice(1)}/swap`, { ...chosen, candidate }).then(async (motions) => {
        if (motions.length === 0) return;
        await this.app.show(motions);
        this.app.clock.seek(at);
        this.piece = chosen;
        this.build();
      }),
    );
  }
}
