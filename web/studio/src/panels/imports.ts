// Files that are opened or dropped: what was found about them as chips that can be changed, then kept in the corpus.
import { type Told, drop, send, upload } from "../api.ts";
import type { App } from "../app.ts";
import { button, fill, h, tick } from "../dom.ts";

interface Finding {
  value: string;
  by: string;
  why: string;
  doubtful: boolean;
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
  warnings: Told[];
}

interface Wishes {
  unit?: string;
  up?: string;
  facing_deg?: number;
  rate_hz?: number;
  floor: boolean;
  trim_rest_frame: boolean;
}

const UNITS = ["m", "dm", "cm", "mm", "in", "ft", "cmu"];
const AXES = ["x", "y", "z", "-x", "-y", "-z"];
/** Files that others need beside them. */
const COMPANIONS = /\.(asf|bin)$/i;

export class Imports {
  readonly element = h("section", { class: "panel imports", aria: { label: "New files" }, hidden: true });
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

  /** Asks for files. */
  open(): void {
    this.input.value = "";
    this.input.click();
  }

  private files(files: File[]): void {
    this.app.try(this.read(files));
  }

  private async read(files: File[]): Promise<void> {
    const name = (file: File) => `name=${encodeURIComponent(file.name)}`;
    // What others need goes first, and is named with them. A skeleton alone is shown as it is.
    const motions = files.filter((file) => !COMPANIONS.test(file.name));
    const companions = motions.length > 0 ? files.filter((file) => COMPANIONS.test(file.name)) : [];
    let beside = "";
    for (const file of companions) {
      const { companion } = await upload<{ companion: number }>(`/api/companions?${name(file)}`, file);
      beside += `&beside=${companion}`;
    }
    for (const file of motions.length > 0 ? motions : files) {
      const found = await this.app.notices.work(`Reading ${file.name}`, () => upload<Imported>(`/api/imports?${name(file)}${beside}`, file));
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

  private build(card: HTMLElement, found: Imported, wishes: Wishes): void {
    const first = found.takes[0];
    const detected = first?.actors[0]?.detected;
    const again = async (change: Partial<Wishes>) => {
      const wanted = { ...wishes, ...change };
      const next = await send<Imported>(`/api/imports/${found.import}`, wanted);
      this.build(card, next, wanted);
      await this.app.show([next.motion]);
    };
    const tell = (change: Partial<Wishes>) => this.app.try(again(change));
    const chips = detected && [
      choice("unit", detected.unit, UNITS, (unit) => tell({ unit })),
      choice("up", detected.up, AXES, (up) => tell({ up })),
      number("rate, Hz", detected.rate, (rate_hz) => tell({ rate_hz })),
      number("facing, °", detected.facing, (facing_deg) => tell({ facing_deg })),
      fact("roles", detected.roles),
      fact("rest pose", detected.rest),
      detected.height_m !== null && h("span", { class: "chip", title: "Standing height" }, h("b", {}, "tall"), `${detected.height_m.toFixed(2)} m`),
    ];
    const licence = h("input", { type: "text", placeholder: "Licence, as CC-BY-4.0", aria: { label: "Licence" } });
    const credit = h("input", { type: "text", placeholder: "Credit: whose it is", aria: { label: "Credit" } });
    const frames = first ? `${first.frames} frames, ${first.actors.map(({ name, joints }) => `${name} with ${joints} joints`).join(", ")}` : "";
    fill(
      card,
      h("h3", {}, found.name),
      h("p", { class: "dim" }, `${found.format.toUpperCase()}, ${found.takes.length > 1 ? `${found.takes.length} takes, ` : ""}${frames}`),
      h("div", { class: "chips" }, ...(chips ?? [])),
      tick("put the floor at height 0", "The floor that the motion rests on", wishes.floor, (floor) => tell({ floor })),
      detected?.rest_frame.value === "yes" && tick("leave out the calibration pose", detected.rest_frame.why, wishes.trim_rest_frame, (on) => tell({ trim_rest_frame: on })),
      found.warnings.length > 0 && h("ul", { class: "warnings" }, ...found.warnings.map(({ code, message, hint }) => h("li", { title: hint }, message, " ", h("code", {}, code)))),
      licence,
      credit,
      h(
        "div",
        { class: "row" },
        button("Keep in corpus", "Put it into the corpus", () => this.app.try(this.keep(card, found, licence.value, credit.value)), { class: "primary" }),
        button("Let go", "Do not keep it", () => this.app.try(this.forget(card, found))),
      ),
    );
  }

  private async keep(card: HTMLElement, found: Imported, licence: string, credit: string): Promise<void> {
    const { takes } = await send<{ takes: { id: string; already: boolean }[] }>(`/api/imports/${found.import}/keep`, { licence, credit });
    this.remove(card);
    this.app.notices.good(takes.every(({ already }) => already) ? `${found.name} was in the corpus already` : `${found.name} is in the corpus`);
    await this.app.refresh();
    await this.app.show(takes.map(({ id }) => id).slice(0, 1));
  }

  private async forget(card: HTMLElement, found: Imported): Promise<void> {
    this.remove(card);
    const at = this.app.shown.findIndex(({ about }) => about.id === found.motion);
    if (at >= 0) this.app.hide(at);
    await drop(`/api/imports/${found.import}`);
  }

  private remove(card: HTMLElement): void {
    card.remove();
    this.element.hidden = this.element.querySelector("article") === null;
  }
}

const chip = (name: string, { by, why, doubtful }: Finding, value: HTMLElement | string): HTMLElement =>
  h("label", { class: `chip${doubtful ? " doubtful" : ""}`, title: `${by}: ${why}` }, h("b", {}, name), value, h("i", {}, by));

const fact = (name: string, finding: Finding): HTMLElement => chip(name, finding, finding.value);

function choice(name: string, finding: Finding, words: string[], act: (word: string) => void): HTMLElement {
  const all = words.includes(finding.value) ? words : [finding.value, ...words];
  const select = h("select", { aria: { label: name }, on: { change: () => act(select.value) } }, ...all.map((word) => h("option", {}, word)));
  select.value = finding.value;
  return chip(name, finding, select);
}

function number(name: string, finding: Finding, act: (value: number) => void): HTMLElement {
  const input = h("input", { type: "number", value: finding.value, step: "any", aria: { label: name }, on: { change: () => act(Number(input.value)) } });
  return chip(name, finding, input);
}
