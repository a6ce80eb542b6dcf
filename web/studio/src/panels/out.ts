// Out: any motion as a file, and the command that makes it again.
import type { App } from "../app.ts";
import { button, fill, h } from "../dom.ts";

const FORMS: [string, string][] = [
  ["bvh", "BVH: for animation programs"],
  ["glb", "GLB: with a body, for viewers and engines"],
  ["png", "PNG: a contact sheet"],
  ["gif", "GIF: a moving picture"],
];

export class Out {
  readonly element = h("details", { class: "out" });
  private readonly app: App;
  private readonly menu = h("div", { class: "menu" });

  constructor(app: App) {
    this.app = app;
    this.element.append(h("summary", { title: "Save what is on stage (E)" }, "Export"), this.menu);
    this.element.addEventListener("toggle", () => this.build());
    addEventListener("pointerdown", (event) => {
      if (this.element.open && !this.element.contains(event.target as Node)) this.element.open = false;
    });
    app.on("shown", () => this.build());
  }

  private build(): void {
    const lead = this.app.lead;
    if (!lead) return fill(this.menu, h("p", { class: "dim" }, "Nothing is on stage."));
    const { about, motion } = lead;
    const { loop } = this.app.clock;
    const frame = (secs: number) => Math.min(Math.max(Math.round(secs * motion.rateHz), 0), motion.frames);
    const range = loop && frame(loop[1]) > frame(loop[0]) ? `?frames=${frame(loop[0])}-${frame(loop[1])}` : "";
    const link = (what: string, words: string, query = "") =>
      h("a", { href: `/api/motions/${about.id}/export/${what}${query}`, download: "", data: { form: what } }, words);
    fill(
      this.menu,
      h("p", { class: "dim" }, `${about.name}${range ? ", what is looped" : ""}`),
      ...FORMS.map(([form, words]) => link(form, words, range)),
      about.plan && link("plan", "Plan: JSON, to change and realise again"),
      ...(about.files ?? []).filter((name) => name !== "plan.json").map((name) => link(name, `${name}: what the command needs`)),
      about.id.startsWith("m") && button("Keep in corpus", "Keep this result as a take of the corpus", () => this.app.try(this.app.keep(about.id, about.name)), { class: "keep" }),
      about.command && h("p", { class: "dim" }, "The same by command:"),
      about.command && h("code", { class: "command" }, about.command),
      about.command && button("Copy command", "Copy the command that makes this again", () => this.app.try(this.copy(about.command!))),
    );
  }

  private async copy(command: string): Promise<void> {
    await navigator.clipboard.writeText(command);
    this.app.notices.good("The command is on the clipboard");
  }
}
