// Vary: twelve variations of a take at once, on a contact sheet; the good ones are pinned.
import type { App } from "../app.ts";
import { button, chooser, fill, h, slider, tick } from "../dom.ts";
import { still } from "./library.ts";

/** How many there are on a sheet. */
const SHEET = 12;
/** Cells of a second of motion. */
const CELLS_PER_SEC = 30;

export class Vary {
  readonly element: HTMLElement;
  private readonly app: App;
  private readonly take = chooser("What is varied", []);
  private readonly sheet = h("ul", { class: "sheet", aria: { label: "Variations" } });
  private readonly wish = { system: "lorenz", shift: 0.1, chunk: 1, turn: 1.5, first: false, last: false, beside: true };
  private seed = 1;
  private isChosen = false;

  constructor(app: App) {
    this.app = app;
    this.take.addEventListener("change", () => (this.isChosen = true));
    const starts: [string, string][] = [["0.1", "far away"], ["0.01", "near the original"], ["0.0001", "very near: begins alike"]];
    const start = chooser("Where it starts", starts, (value) => (this.wish.shift = Number(value)));
    this.element = h(
      "section",
      { class: "panel vary", aria: { label: "Vary" } },
      h("h2", {}, "Vary a dance"),
      h("p", { class: "dim" }, "The take is wrapped around a strange attractor and danced along other ways around it: chunks of it, in another order."),
      this.take,
      h("label", { class: "row" }, h("span", {}, "Around"), chooser("Attractor", [["lorenz", "Lorenz"], ["rossler", "Rössler"], ["chua", "Chua"]], (value) => (this.wish.system = value))),
      h("label", { class: "row" }, h("span", {}, "Start"), start),
      slider("A turn lasts", "s", { min: 0.5, max: 6, step: 0.25, value: this.wish.turn }, (value) => (this.wish.turn = value)),
      slider("Chunks last at least", "s", { min: 0.1, max: 4, step: 0.1, value: this.wish.chunk }, (value) => (this.wish.chunk = value)),
      h("div", { class: "ticks" },
        tick("same start", "Begin as the original does", false, (on) => (this.wish.first = on)),
        tick("same end", "End as the original does", false, (on) => (this.wish.last = on)),
        tick("original beside", "Show each beside the original", true, (on) => (this.wish.beside = on)),
      ),
      h("div", { class: "row" },
        button("Make twelve", "Make twelve variations", () => this.make(1), { class: "primary", id: "make-variations" }),
        button("Twelve others", "Make twelve variations of other seeds", () => this.make(this.seed + SHEET)),
      ),
      this.sheet,
    );
    app.on("takes", () => this.build());
    app.on("shown", () => {
      this.build();
      this.mark();
    });
  }

  private build(): void {
    const chosen = this.isChosen ? this.take.value : (this.app.lead?.about.id ?? "");
    const before = this.take.value;
    fill(this.take, ...this.app.takes.map(({ id, name }) => h("option", { value: id }, name)));
    this.take.value = this.app.takes.some(({ id }) => id === chosen) ? chosen : before;
    if (this.take.selectedIndex < 0) this.take.selectedIndex = 0;
  }

  private make(seed: number): void {
    const take = this.take.value;
    if (take === "") return;
    this.seed = seed;
    const { system, shift, chunk, turn, first, last } = this.wish;
    const wish = {
      take,
      count: SHEET,
      seed,
      system,
      shift,
      turn: turn * CELLS_PER_SEC,
      min_chunk: Math.max(Math.round(chunk * CELLS_PER_SEC), 1),
      keep_first: first,
      keep_last: last,
    };
    const name = this.app.takes.find(({ id }) => id === take)?.name ?? take;
    this.app.try(
      this.app.make("Varying", "/api/panels/vary", wish).then(async (motions) => {
        if (motions.length === 0) return;
        // What was chosen stays chosen while its variations are looked at.
        this.isChosen = true;
        fill(this.sheet, ...motions.map((id, index) => this.card(id, take, `${name} varied ${seed + index}`, seed + index)));
        await this.see(motions[0]!, take);
      }),
    );
  }

  private card(id: string, take: string, name: string, seed: number): HTMLElement {
    const pin = button("☆", `Pin ${name}: keep it in the corpus`, () => this.app.try(this.pin(id, name, pin)), { class: "pin", aria: { label: `Pin ${name}`, pressed: "false" } });
    return h(
      "li",
      { data: { id } },
      h("button", { type: "button", class: "show", title: name, aria: { label: `Show ${name}` }, on: { click: () => this.app.try(this.see(id, take)) } },
        h("img", { src: `/api/motions/${id}/thumb${still()}`, alt: "", loading: "lazy" }),
        h("span", {}, String(seed))),
      pin,
    );
  }

  /** Shows a variation, in a view of its own beside the original. */
  private async see(id: string, take: string): Promise<void> {
    await this.app.present([id], this.wish.beside ? [take] : []);
    this.app.stage.isSplit = this.wish.beside;
    this.app.tell("shown");
  }

  private async pin(id: string, name: string, pin: HTMLButtonElement): Promise<void> {
    await this.app.keep(id, name);
    pin.textContent = "★";
    pin.disabled = true;
    pin.setAttribute("aria-pressed", "true");
  }

  private mark(): void {
    const shown = new Set(this.app.shown.map(({ about }) => about.id));
    for (const card of this.sheet.children) card.classList.toggle("shown", shown.has((card as HTMLElement).dataset["id"] ?? ""));
  }
}
