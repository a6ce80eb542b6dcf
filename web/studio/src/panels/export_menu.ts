// The export menu: a motion as a file, and the command that makes it.
import type { App } from "../app.ts";
import { button, fill, h } from "../dom.ts";

const FORMATS: [string, string][] = [
  ["bvh", "BVH: skeleton, for animation software"],
  ["glb", "GLB: character with skin, for viewers and game engines"],
  ["fbx", "FBX: character with skin, for animation software and game engines"],
  ["usda", "USD: character with skin, for film and visualisation"],
  ["vrma", "VRMA: animation for VRM avatars"],
  ["npz", "NPZ: poses of a body model, for research"],
  ["png", "PNG: contact sheet"],
  ["gif", "GIF: animation"],
];

export class ExportMenu {
  readonly element = h("details", { class: "export" });
  private readonly app: App;
  private readonly menu = h("div", { class: "menu" });

  constructor(app: App) {
    this.app = app;
    this.element.append(h("summary", { title: "Export the selected motion (E)" }, "Export"), this.menu);
    this.element.addEventListener("toggle", () => this.build());
    addEventListener("pointerdown", (event) => {
      if (this.element.open && !this.element.contains(event.target as Node)) this.element.open = false;
    });
    app.on("shown", () => this.build());
  }

  private build(): void {
    const lead = this.app.lead;
    if (!lead) return fill(this.menu, h("p", { class: "dim" }, "The stage is empty."));
    const { about, motion } = lead;
    const { loop } = this.app.clock;
    const frame = (secs: number) => Math.min(Math.max(Math.round(secs * motion.rateHz), 0), motion.frames);
    const range = loop && frame(loop[1]) > frame(loop[0]) ? `frames=${frame(loop[0])}-${frame(loop[1])}` : "";
    const query = [range, this.app.characters.query().slice(1)].filter((part) => part !== "").join("&");
    const link = (what: string, label: string, query = "") =>
      h("a", { href: `/api/motions/${about.id}/export/${what}${query}`, download: "", data: { format: what } }, label);
    fill(
      this.menu,
      h("p", { class: "dim" }, `${about.name}${range ? ", looped range" : ""}`),
      ...FORMATS.map(([format, label]) => link(format, label, query && `?${query}`)),
      about.plan && link("plan", "Plan: JSON, to edit and realise again"),
      ...(about.files ?? []).filter((name) => name !== "plan.json").map((name) => link(name, `${name}: input of the command`)),
      about.id.startsWith("m") && button("Keep in corpus", "Add this result to the corpus", () => this.app.try(this.app.keep(about.id, about.name)), { class: "keep" }),
      about.command && h("p", { class: "dim" }, "Command for the same result:"),
      about.command && h("code", { class: "command" }, about.command),
      about.command && button("Copy command", "Copy the command to the clipboard", () => this.app.try(this.copy(about.command!))),
    );
  }

  private async copy(command: string): Promise<void> {
    await navigator.clipboard.writeText(command);
    this.app.notices.good("Command copied");
  }
}
