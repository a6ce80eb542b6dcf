// The figures of the result on the stage: notes of its engine, and its quality card.
import { getJson } from "../api.ts";
import type { App } from "../app.ts";
import { fill, h } from "../dom.ts";

interface Line {
  name: string;
  value: number;
  unit: string;
  at_most: number | null;
  ok: boolean;
}
interface Card {
  actors: { name: string; lines: Line[] | null }[];
}

/** Measures of feet, which are shown without a threshold. */
const FEET = new Set(["foot skate", "foot slip", "no foot stands"]);

const figure = (value: number, unit: string): string => `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;

export class Facts {
  readonly element = h("aside", { class: "facts", hidden: true, aria: { label: "About the result" } });
  private readonly app: App;
  private readonly notes = h("dl", {});
  private readonly card = h("dl", { class: "card" });
  private readonly known = new Map<string, Promise<Card>>();

  constructor(app: App) {
    this.app = app;
    this.element.append(this.notes, this.card);
    app.on("shown", () => app.try(this.build()));
  }

  private async build(): Promise<void> {
    const { lead } = this.app;
    const notes = lead?.about.notes ?? [];
    const id = lead?.about.id ?? "";
    this.element.hidden = notes.length === 0 && !id.startsWith("m");
    fill(this.notes, ...notes.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
    fill(this.card);
    if (!id.startsWith("m")) return;
    const card = this.known.get(id) ?? getJson<Card>(`/api/results/${id.slice(1)}/card`);
    this.known.set(id, card);
    const { actors } = await card;
    if (this.app.lead?.about.id !== id) return;
    // With several characters, the worst value of each measure.
    const shown = actors.flatMap(({ lines }) => lines ?? []).filter(({ name, at_most }) => at_most !== null || FEET.has(name));
    const worst = new Map<string, Line>();
    for (const line of shown) if (line.value >= (worst.get(line.name)?.value ?? -Infinity)) worst.set(line.name, line);
    fill(
      this.card,
      ...[...worst.values()].flatMap(({ name, value, unit, at_most, ok }) => [
        h("dt", {}, name),
        at_most === null
          ? h("dd", { title: "captured feet differ too much for a threshold" }, figure(value, unit))
          : h("dd", { class: ok ? "ok" : "bad", title: `at most ${at_most} ${unit}` }, `${ok ? "✓" : "✗"} ${figure(value, unit)}`),
      ]),
    );
  }
}
