// Imported files: detected conventions as chips that the user can change, then added to the corpus.
import { type Problem, deleteAt, postFile, postJson } from "../api.ts";
import type { App } from "../app.ts";
import { type AddedCharacter, isCharacter } from "../characters.ts";
import { button, checkbox, fill, h } from "../dom.ts";

interface Finding {
  value: string;
  source: string;
  reason: string;
  is_assumed: boolean;
}

interface Detected {
  unit: Finding;
  up: Finding;
  facing: Finding;
  rate: Finding;
  roles: Finding;
  rest: Finding;
  rest_frame: Finding;
  height_m: number | null;
}

interface Imported {
  import: number;
  motion: string;
  name: string;
  format: string;
  takes: { name: string; frames: number; rate_hz: number; actors: { name: string; joints: number; detected: Detected }[] }[];
  warnings: Problem[];
}

interface Overrides {
  unit?: string;
  up?: string;
  facing_deg?: number;
  rate_hz?: number;
  floor: boolean;
  trim_rest_frame: boolean;
}

const UNITS = ["m", "dm", "cm", "mm", "in", "ft", "cmu"];
const AXES = ["x", "y", "z", "-x", "-y", "-z"];
/** Files that other files need. */
const COMPANIONS = /\.(asf|bin)$/i;

export class Imports {
  readonly element = h("section", { class: "panel imports", aria: { label: "Imported files" }, hidden: true });
  private readonly app: App;
  private readonly reveal: () => void;
  private readonly input: HTMLInputElement;

  constructor(app: App, reveal: () => void) {
    this.app = app;
    this.reveal = reveal;
    this.input = h("input", { type: "file", multiple: true, hidden: true, on: { change: () => this.files([...(this.input.files ?? [])]) } });
    document.body.append(this.input);
    const over = (on: boolean) => document.body.classList.toggle("dropping", on);
    addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      over(true);
    });
    addEventListener("dragleave", (event) => event.relatedTarget === null && over(false));
    addEventListener("drop", (event) => {
      event.preventDefault();
      over(false);
      this.files([...(event.dataTransfer?.files ?? [])]);
    });
  }

  /** Opens the file dialog. */
  open(): void {
    this.input.value = "";
    this.input.click();
  }

  private files(files: File[]): void {
    this.app.try(this.read(files));
  }

  private async read(files: File[]): Promise<void> {
    const name = (file: File) => `name=${encodeURIComponent(file.name)}`;
    // Companion files are sent first, and referred to by their numbers. A skeleton file alone is imported itself.
    const motions = files.filter((file) => !COMPANIONS.test(file.name));
    const companions = motions.length > 0 ? files.filter((file) => COMPANIONS.test(file.name)) : [];
    let query = "";
    for (const file of companions) {
      const { companion } = await postFile<{ companion: number }>(`/api/companions?${name(file)}`, file);
      query += `&companion=${companion}`;
    }
    for (const file of motions.length > 0 ? motions : files) {
      if (isCharacter(file.name)) {
        await this.app.characters.addFile(file);
        continue;
      }
      const found = await this.app.notices.work(`Reading ${file.name}`, () => postFile<Imported>(`/api/imports?${name(file)}${query}`, file));
      if (found) await this.add(found);
    }
  }

  private async add(found: Imported): Promise<void> {
    const card = h("article", { class: "import" });
    this.element.append(card);
    this.element.hidden = false;
    this.build(card, found, { floor: false, trim_rest_frame: false });
    this.reveal();
    await this.app.show([found.motion]);
  }

  private build(card: HTMLElement, found: Imported, overrides: Overrides): void {
    const first = found.takes[0];
    const detected = first?.actors[0]?.detected;
    const reread = async (change: Partial<Overrides>) => {
      const changed = { ...overrides, ...change };
      const next = await postJson<Imported>(`/api/imports/${found.import}`, changed);
      this.build(card, next, changed);
      await this.app.show([next.motion]);
    };
    const apply = (change: Partial<Overrides>) => this.app.try(reread(change));
    const chips = detected && [
      choice("unit", detected.unit, UNITS, (unit) => apply({ unit })),
      choice("up", detected.up, AXES, (up) => apply({ up })),
      number("rate, Hz", detected.rate, (rate_hz) => apply({ rate_hz })),
      number("facing, °", detected.facing, (facing_deg) => apply({ facing_deg })),
      fact("roles", detected.roles),
      fact("rest pose", detected.rest),
      detected.height_m !== null && h("span", { class: "chip", title: "Standing height" }, h("b", {}, "height"), `${detected.height_m.toFixed(2)} m`),
    ];
    const licence = h("input", { type: "text", placeholder: "Licence, e.g. CC-BY-4.0", aria: { label: "Licence" } });
    const credit = h("input", { type: "text", placeholder: "Credit, e.g. the author", aria: { label: "Credit" } });
    const frames = first ? `${first.frames} frames, ${first.actors.map(({ name, joints }) => `${name} (${joints} joints)`).join(", ")}` : "";
    fill(
      card,
      h("h3", {}, found.name),
      h("p", { class: "dim" }, `${found.format.toUpperCase()}, ${found.takes.length > 1 ? `${found.takes.length} takes, ` : ""}${frames}`),
      h("div", { class: "chips" }, ...(chips ?? [])),
      checkbox("Move to the floor", "Moves the motion so that its floor is at height 0", overrides.floor, (floor) => apply({ floor })),
      detected?.rest_frame.value === "yes" && checkbox("Remove the calibration pose", detected.rest_frame.reason, overrides.trim_rest_frame, (on) => apply({ trim_rest_frame: on })),
      found.warnings.length > 0 && h("ul", { class: "warnings" }, ...found.warnings.map(({ code, message, hint }) => h("li", { title: hint }, message, " ", h("code", {}, code)))),
      licence,
      credit,
      h(
        "div",
        { class: "row" },
        button("Keep in corpus", "Add this file to the corpus", () => this.app.try(this.keep(card, found, licence.value, credit.value)), { class: "primary" }),
        button("Use as character", "Show motion on the figure of this file", () => this.app.try(this.useAsCharacter(card, found))),
        button("Discard", "Discard this file", () => this.app.try(this.forget(card, found))),
      ),
    );
  }

  private async keep(card: HTMLElement, found: Imported, licence: string, credit: string): Promise<void> {
    const { takes } = await postJson<{ takes: { id: string; already: boolean }[] }>(`/api/imports/${found.import}/keep`, { licence, credit });
    this.remove(card);
    this.app.notices.good(takes.every(({ already }) => already) ? `${found.name} is already in the corpus` : `${found.name} was added to the corpus`);
    await this.app.refresh();
    await this.app.show(takes.map(({ id }) => id).slice(0, 1));
  }

  private async useAsCharacter(card: HTMLElement, found: Imported): Promise<void> {
    const at = this.app.shown.findIndex(({ about }) => about.id === found.motion);
    if (at >= 0) this.app.hide(at);
    await this.app.characters.add(() => postJson<AddedCharacter>(`/api/imports/${found.import}/character`, {}));
    this.remove(card);
  }

  private async forget(card: HTMLElement, found: Imported): Promise<void> {
    this.remove(card);
    const at = this.app.shown.findIndex(({ about }) => about.id === found.motion);
    if (at >= 0) this.app.hide(at);
    await deleteAt(`/api/imports/${found.import}`);
  }

  private remove(card: HTMLElement): void {
    card.remove();
    this.element.hidden = this.element.querySelector("article") === null;
  }
}

const chip = (name: string, { source, reason, is_assumed }: Finding, value: HTMLElement | string): HTMLElement =>
  h("label", { class: `chip${is_assumed ? " assumed" : ""}`, title: `${source}: ${reason}` }, h("b", {}, name), value, h("i", {}, source));

const fact = (name: string, finding: Finding): HTMLElement => chip(name, finding, finding.value);

function choice(name: string, finding: Finding, values: string[], act: (value: string) => void): HTMLElement {
  const all = values.includes(finding.value) ? values : [finding.value, ...values];
  const select = h("select", { aria: { label: name }, on: { change: () => act(select.value) } }, ...all.map((value) => h("option", {}, value)));
  select.value = finding.value;
  return chip(name, finding, select);
}

function number(name: string, finding: Finding, act: (value: number) => void): HTMLElement {
  const input = h("input", { type: "number", value: finding.value, step: "any", aria: { label: name }, on: { change: () => act(Number(input.value)) } });
  return chip(name, finding, input);
}
