// The library: takes with small animations, filtered by name, tag, duration and speed.
import type { TakeRow } from "../api.ts";
import type { App } from "../app.ts";
import { button, chooser, fill, h } from "../dom.ts";
import { formatTime } from "../timeline/scale.ts";

/** Filters: a label and a predicate. */
const LENGTHS: [string, (secs: number) => boolean][] = [
  ["any duration", () => true],
  ["under 5 s", (secs) => secs < 5],
  ["5 to 20 s", (secs) => secs >= 5 && secs <= 20],
  ["over 20 s", (secs) => secs > 20],
];
const SPEEDS: [string, (mps: number | null) => boolean][] = [
  ["any speed", () => true],
  ["in place", (mps) => mps !== null && mps < 0.4],
  ["walking", (mps) => mps !== null && mps >= 0.4 && mps <= 1.6],
  ["faster", (mps) => mps !== null && mps > 1.6],
];

const isStill = matchMedia("(prefers-reduced-motion: reduce)");

/** The query for a small picture: a still one for users who prefer reduced motion. */
export const stillQuery = (): string => (isStill.matches ? "?still" : "");

export class Library {
  readonly element: HTMLElement;
  private readonly app: App;
  private readonly search = h("input", { type: "search", placeholder: "Name or tag", aria: { label: "Search by name or tag" } });
  private readonly length = chooser("Duration", LENGTHS.map(([label]) => [label, label]));
  private readonly speed = chooser("Travel speed", SPEEDS.map(([label]) => [label, label]));
  private readonly list = h("ul", { class: "takes" });
  private readonly count = h("p", { class: "dim count", role: "status" });
  private readonly cards = new Map<string, { key: string; card: HTMLElement }>();

  constructor(app: App, open: () => void) {
    this.app = app;
    for (const input of [this.search, this.length, this.speed]) input.addEventListener("input", () => this.build());
    this.element = h(
      "section",
      { class: "panel library", aria: { label: "Library" } },
      h("div", { class: "filters" }, this.search, this.length, this.speed),
      this.count,
      this.list,
      h("footer", {}, button("Open files…", "Add motion files to the corpus", open), h("span", { class: "dim" }, "or drop them anywhere")),
    );
    app.on("takes", () => this.build());
    app.on("shown", () => this.mark());
    isStill.addEventListener("change", () => {
      this.cards.clear();
      this.build();
    });
  }

  private build(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const fits = LENGTHS[this.length.selectedIndex]![1];
    const isFastEnough = SPEEDS[this.speed.selectedIndex]![1];
    const found = this.app.takes.filter((take) => {
      const text = [take.name, ...take.tags, ...take.actors].join(" ").toLowerCase();
      return words.every((word) => text.includes(word)) && fits(take.secs) && isFastEnough(take.speed_mps);
    });
    fill(this.list, ...found.map((take) => this.card(take)));
    const all = this.app.takes.length;
    const takes = all === 1 ? "take" : "takes";
    this.count.textContent = found.length === all ? `${all} ${takes}` : `${found.length} of ${all} ${takes}`;
    this.mark();
  }

  /** Cards are reused, so that their animations continue. */
  private card(take: TakeRow): HTMLElement {
    const key = JSON.stringify(take);
    const known = this.cards.get(take.id);
    if (known?.key === key) return known.card;
    const facts = [
      formatTime(take.secs),
      take.actors.length > 1 && `${take.actors.length} actors`,
      take.speed_mps !== null && `${take.speed_mps.toFixed(1)} m/s`,
      take.segments > 0 && `${take.segments} ${take.segments === 1 ? "segment" : "segments"}`,
    ].filter((fact) => fact !== false);
    const about = [take.source && `from ${take.source}`, take.credit, take.history].filter((line) => line).join("\n");
    const picture = known?.card.querySelector("img") ?? h("img", { src: `/api/motions/${take.id}/thumb${stillQuery()}`, alt: "", loading: "lazy" });
    const card = h(
      "li",
      { class: "take", data: { id: take.id } },
      h(
        "button",
        { type: "button", class: "show", title: about || take.name, on: { click: () => this.app.try(this.app.show([take.id])) } },
        picture,
        h("span", { class: "name" }, take.name),
        h("span", { class: "details" }, facts.join(" · ")),
        h("span", { class: "licence", title: "Licence" }, take.licence || "no licence"),
      ),
      button("+", `Show ${take.name} beside the current motion`, () => this.app.try(this.app.show([take.id], true)), {
        class: "beside",
        aria: { label: `Show ${take.name} beside` },
      }),
    );
    this.cards.set(take.id, { key, card });
    return card;
  }

  private mark(): void {
    const shown = new Set(this.app.shown.map(({ about }) => about.id));
    for (const card of this.list.children) card.classList.toggle("shown", shown.has((card as HTMLElement).dataset["id"] ?? ""));
  }
}
