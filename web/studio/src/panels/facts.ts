// What is known about the result on the stage: the numbers that its engine told.
import type { App } from "../app.ts";
import { fill, h } from "../dom.ts";

export class Facts {
  readonly element = h("dl", { class: "facts", hidden: true, aria: { label: "About the result" } });

  constructor(app: App) {
    app.on("shown", () => {
      const notes = app.lead?.about.notes ?? [];
      this.element.hidden = notes.length === 0;
      fill(this.element, ...notes.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
    });
  }
}
