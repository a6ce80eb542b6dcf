// Vary: twelve variations of a take on a contact sheet, which the user can add to the corpus.
import type { App } from "../app.ts";
import { button, checkbox, chooser, fill, h } from "../dom.ts";
import { stillQuery } from "./library.ts";

/** Number of variations on a sheet. */
const SHEET = 12;
/** Cells per second of motion. */
const CELLS_PER_SEC = 30;
/** Choices that leave a value to the take. */
const BY_TAKE = "";

export class Vary {
  readonly element: HTMLElement;
  private readonly app: App;
  private readonly take = chooser("Take to vary", []);
  private readonly sheet = h("ul", { class: "sheet", aria: { label: "Variations" } });
  private readonly settings = { system: "lorenz", shift: BY_TAKE, chunk: BY_TAKE, turn: BY_TAKE, cut: "fit", beats: false, first: false, last: false, beside: true };
  private seed = 1;
  private isChosen = false;

  constructor(app: App) {
    this.app = app;
    this.take.addEventListener("change", () => (this.isChosen = true));
    const starts: [string, string][] = [[BY_TAKE, "as near as makes another dance"], ["0.1", "far from the original"], ["0.01", "near the original"], ["0.0001", "very near: similar at first"]];
    const seconds = (...some: number[]): [string, string][] => [[BY_TAKE, "by the length of the take"], ...some.map((secs): [string, string] => [String(secs), `${secs} s`])];
    const row = (label: string, choice: HTMLElement): HTMLElement => h("label", { class: "row" }, h("span", {}, label), choice);
    this.element = h(
      "section",
      { class: "panel vary", aria: { label: "Vary" } },
      h("h2", {}, "Vary a dance"),
      h("p", { class: "dim" }, "Maps the take onto a strange attractor and follows another trajectory. The result plays chunks of the take in a different order."),
      this.take,
      row("System", chooser("Attractor", [["lorenz", "Lorenz"], ["rossler", "Rössler"], ["chua", "Chua"]], (value) => (this.settings.system = value))),
      row("Start", chooser("Starting point", starts, (value) => (this.settings.shift = value))),
      row("Orbit", chooser("Time of an orbit", seconds(0.5, 1, 1.5, 3, 6), (value) => (this.settings.turn = value))),
      row("Shortest chunk", chooser("Shortest chunk", seconds(0.2, 0.5, 1, 2, 4), (value) => (this.settings.chunk = value))),
      row("Cuts", chooser("Where cuts are", [["fit", "where moments are alike"], ["free", "where the attractor says"]], (value) => (this.settings.cut = value))),
      h("div", { class: "ticks" },
        checkbox("Keep the count", "Chunks start on the same part of a beat as the ones before end", false, (on) => (this.settings.beats = on)),
        checkbox("Same start", "Start as the original does", false, (on) => (this.settings.first = on)),
        checkbox("Same end", "End as the original does", false, (on) => (this.settings.last = on)),
        checkbox("Show original", "Show the original beside each variation", true, (on) => (this.settings.beside = on)),
      ),
      h("div", { class: "row" },
        button("Generate 12", "Generate twelve variations", () => this.make(1), { class: "primary", id: "make-variations" }),
        button("12 more", "Generate twelve variations with other random seeds", () => this.make(this.seed + SHEET)),
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
    const { system, shift, chunk, turn, cut, beats, first, last } = this.settings;
    const number = (choice: string, factor = 1): number | null => (choice === BY_TAKE ? null : Number(choice) * factor);
    const message = {
      take,
      count: SHEET,
      seed,
      system,
      shift: number(shift),
      turn: number(turn, CELLS_PER_SEC),
      min_chunk: number(chunk, CELLS_PER_SEC),
      cut,
      beats: beats && cut === "fit",
      keep_first: first,
      keep_last: last,
    };
    const name = this.app.takes.find(({ id }) => id === take)?.name ?? take;
    this.app.try(
      this.app.make("Varying", "/api/panels/vary", message).then(async (motions) => {
        if (motions.length === 0) return;
        // The take stays selected while its variations are shown.
        this.isChosen = true;
        fill(this.sheet, ...motions.map((id, index) => this.card(id, take, `${name} varied ${seed + index}`, seed + index)));
        await this.see(motions[0]!, take);
      }),
    );
  }

  private card(id: string, take: string, name: string, seed: number): HTMLElement {
    const pin = button("☆", `Pin ${name}: add it to the corpus`, () => this.app.try(this.pin(id, name, pin)), { class: "pin", aria: { label: `Pin ${name}`, pressed: "false" } });
    return h(
      "li",
      { data: { id } },
      h("button", { type: "button", class: "show", title: name, aria: { label: `Show ${name}` }, on: { click: () => this.app.try(this.see(id, take)) } },
        h("img", { src: `/api/motions/${id}/thumb${stillQuery()}`, alt: "", loading: "lazy" }),
        h("span", {}, String(seed))),
      pin,
    );
  }

  /** Shows a variation, with the original in a view beside it. */
  private async see(id: string, take: string): Promise<void> {
    await this.app.present([id], this.settings.beside ? [take] : []);
    this.app.stage.isSplit = this.settings.beside;
    this.app.notify("shown");
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
