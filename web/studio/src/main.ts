// The page, put together.
import { ask } from "./api.ts";
import { App } from "./app.ts";
import { button, fill, h, swatch } from "./dom.ts";
import { Edits } from "./edits.ts";
import { Duet } from "./panels/duet.ts";
import { Facts } from "./panels/facts.ts";
import { Follow } from "./panels/follow.ts";
import { Imports } from "./panels/imports.ts";
import { Library } from "./panels/library.ts";
import { Out } from "./panels/out.ts";
import { Perform } from "./panels/perform.ts";
import { Realise } from "./panels/realise.ts";
import { Traverse } from "./panels/traverse.ts";
import { Tween } from "./panels/tween.ts";
import { Vary } from "./panels/vary.ts";
import { Why } from "./panels/why.ts";
import { type Group, listen, panel } from "./shortcuts.ts";
import { Stage } from "./stage/stage.ts";
import type { Shows } from "./stage/troupe.ts";
import { faster, step } from "./timeline/transport.ts";
import { Timeline } from "./timeline/timeline.ts";

interface AboutStudio {
  version: string;
  corpus: string;
  is_example: boolean;
  panels: string[];
}

const stage = new Stage();
const app = new App(stage);
const edits = new Edits(app);
const why = new Why(app);
const timeline = new Timeline(app, edits, (actor, placement) => why.ask(actor, placement));
const imports = new Imports(app, () => choose("library"));
const library = new Library(app, () => imports.open());
const follow = new Follow(app);
const traverse = new Traverse(app);
const duet = new Duet(app);
const perform = new Perform(app);
const vary = new Vary(app);
const tween = new Tween(app);
const realise = new Realise(app);
const facts = new Facts(app);
const out = new Out(app);

// Panels: the library, and one for each engine that the studio has. Some have the stage to themselves while they are open.
interface Side {
  word: string;
  element: HTMLElement;
  leave?: () => void;
  enter?: () => void;
}
const panels: Record<string, Side> = {
  library: { word: "Library", element: h("div", { class: "stack" }, imports.element, library.element) },
  follow: { word: "Follow", element: follow.element, leave: () => follow.toggle(false) },
  traverse: { word: "Traverse", element: traverse.element, enter: () => traverse.enter(), leave: () => traverse.leave() },
  duet: { word: "Duet", element: duet.element, leave: () => duet.leave() },
  perform: { word: "Perform", element: perform.element, leave: () => perform.leave() },
  vary: { word: "Vary", element: vary.element },
  tween: { word: "Tween", element: tween.element },
  realise: { word: "Realise", element: realise.element },
};
let chosen = "library";
const tabs = h("nav", { class: "tabs", role: "tablist", aria: { label: "Panels" } });
const side = h("div", { class: "side" });

function choose(name: string): void {
  for (const tab of tabs.children) tab.setAttribute("aria-selected", String((tab as HTMLElement).dataset["name"] === name));
  for (const [own, { element }] of Object.entries(panels)) element.hidden = own !== name;
  if (name === chosen) return;
  panels[chosen]?.leave?.();
  chosen = name;
  panels[name]?.enter?.();
  press();
}

// What is shown around figures.
const shows: Shows = { ghosts: false, trails: false, feet: true, mass: false };
const views: { name: string; word: string; title: string; key: string; get: () => boolean; flip: () => void }[] = [
  view("follow", "Follow", "The camera goes along", "f", () => stage.follows, () => (stage.follows = !stage.follows)),
  ...(["ghosts", "trails", "feet", "mass"] as const).map((name) =>
    view(name, { ghosts: "Ghosts", trails: "Trails", feet: "Feet", mass: "Mass" }[name], { ghosts: "Poses before and after now", trails: "Ways of hands, feet, hips and head", feet: "Where feet stand", mass: "Centre of mass" }[name], { ghosts: "o", trails: "r", feet: "p", mass: "m" }[name], () => shows[name], () => {
      shows[name] = !shows[name];
      stage.show({ ...shows });
    }),
  ),
  view("split", "Side by side", "Each motion in a view of its own; otherwise all in one", "v", () => stage.isSplit, () => (stage.isSplit = !stage.isSplit)),
];

function view(name: string, word: string, title: string, key: string, get: () => boolean, flip: () => void) {
  return { name, word, title, key, get, flip };
}

const toggles = h("div", { class: "toggles", role: "toolbar", aria: { label: "View" } });
for (const { name, word, title, key, flip } of views) {
  toggles.append(
    button(word, `${title} (${key.toUpperCase()})`, () => {
      flip();
      press();
    }, { data: { view: name } }),
  );
}
toggles.append(button("Frame", "Look at everybody (H)", () => stage.frame()));

function press(): void {
  for (const { name, get } of views) toggles.querySelector(`[data-view=${name}]`)?.setAttribute("aria-pressed", String(get()));
  stage.wake();
}

// The motions on stage: names in their colours; a click makes one the timeline's.
const cast = h("ul", { class: "cast", aria: { label: "On stage" } });
app.on("shown", () => {
  fill(
    cast,
    ...app.shown.map(({ about, motion }, index) => {
      const colours = stage.troupes[index]?.colours ?? [];
      const actors = motion.actors.length > 1 ? ` (${motion.actors.map(({ name }) => name).join(", ")})` : "";
      return h(
        "li",
        { class: index === app.active ? "active" : "" },
        h("button", { type: "button", title: "Show on the timeline", aria: { pressed: String(index === app.active) }, on: { click: () => app.choose(index) } }, ...colours.map(swatch), about.name, h("span", { class: "dim" }, actors)),
        button("×", `Take ${about.name} off the stage`, () => app.hide(index), { class: "close", aria: { label: `Take ${about.name} off the stage` } }),
      );
    }),
  );
  const names = app.shown.map(({ about }) => about.name).join(", ");
  stage.canvas.setAttribute("aria-label", names === "" ? "An empty stage" : `On stage: ${names}`);
  stage.inset.set(app.lead?.about.shows?.attractor ?? null);
  press();
});

const groups: Group[] = [
  {
    name: "Playing",
    shortcuts: [
      { keys: [" ", "k"], does: "play or stop", act: () => app.clock.toggle() },
      { keys: ["ArrowLeft"], does: "a frame back", act: () => step(app, -1) },
      { keys: ["ArrowRight"], does: "a frame on", act: () => step(app, 1) },
      { keys: ["Shift+ArrowLeft"], does: "ten frames back", act: () => step(app, -10) },
      { keys: ["Shift+ArrowRight"], does: "ten frames on", act: () => step(app, 10) },
      { keys: ["Home"], does: "to the start", act: () => app.clock.seek(0) },
      { keys: ["End"], does: "to the end", act: () => app.clock.seek(app.clock.secs) },
      { keys: ["j"], does: "slower", act: () => faster(app, -1) },
      { keys: ["l"], does: "faster", act: () => faster(app, 1) },
      { keys: ["a"], does: "loop from here", act: () => app.clock.mark("a") },
      { keys: ["b"], does: "loop to here", act: () => app.clock.mark("b") },
      { keys: ["\\"], does: "loop all", act: () => app.clock.clearLoop() },
    ],
  },
  {
    name: "Seeing",
    shortcuts: [
      ...views.map(({ key, title, flip }) => ({
        keys: [key],
        does: title.toLowerCase(),
        act: () => {
          flip();
          press();
        },
      })),
      { keys: ["h"], does: "look at everybody", act: () => stage.frame() },
    ],
  },
  {
    name: "Making",
    shortcuts: [
      { keys: ["d"], does: "draw a path", act: () => (choose("follow"), follow.toggle()) },
      { keys: ["t"], does: "tag what is looped, or a second", act: () => timeline.addTag() },
      { keys: ["g"], does: "make a segment of what is looped, or a second", act: () => timeline.addSegment() },
      { keys: ["["], does: "go from this posture", act: () => (choose("tween"), tween.pick("from")) },
      { keys: ["]"], does: "go to this posture", act: () => (choose("tween"), tween.pick("to")) },
      { keys: ["Ctrl+z"], does: "undo", act: () => (chosen === "traverse" ? traverse.undo() : edits.undo()) },
      { keys: ["Ctrl+Z", "Ctrl+y"], does: "redo", act: () => edits.redo() },
      { keys: ["e"], does: "export", act: () => (out.element.open = !out.element.open) },
      { keys: ["Escape"], does: "stop drawing, close", act: () => (follow.toggle(false), duet.rest(), why.close(), (out.element.open = false)) },
      { keys: ["?"], does: "these keys", act: () => keys.showModal() },
    ],
  },
  {
    name: "Playing a duet",
    shortcuts: [
      { keys: ["q"], does: "attack", act: () => duet.command("offensive") },
      { keys: ["w"], does: "defend", act: () => duet.command("defensive") },
      { keys: ["s"], does: "step", act: () => duet.command("normal") },
      ...Array.from({ length: 9 }, (_, index) => ({ keys: [String(index + 1)], does: `movement ${index + 1} of the list`, act: () => duet.command(index) })),
    ],
  },
];
const keys = panel([...groups, perform.group]);
listen(groups);

const corpus = h("span", { class: "corpus" });
document.body.append(
  h(
    "header",
    { class: "top" },
    h("h1", {}, "Marey"),
    corpus,
    tabs,
    h("span", { class: "space" }),
    out.element,
    button("Keys", "Every key (?)", () => keys.showModal()),
  ),
  h("main", {}, side, h("div", { class: "stage" }, stage.canvas, traverse.handles.element, cast, toggles, stage.inset.element, facts.element, why.element, app.notices.element), timeline.element),
  keys,
);

async function start(): Promise<void> {
  const about = await ask<AboutStudio>("/api/about");
  corpus.textContent = about.is_example ? "example motion, until the studio ends" : about.corpus;
  corpus.title = `Marey ${about.version}`;
  for (const [name, { word, element }] of Object.entries(panels)) {
    if (name !== "library" && !about.panels.includes(name)) continue;
    tabs.append(h("button", { type: "button", role: "tab", data: { name }, on: { click: () => choose(name) } }, word));
    side.append(element);
  }
  choose("library");
  await app.refresh();
  const first = app.takes[0];
  if (first) await app.show([first.id]);
  else {
    // Example motion is being made: the first take is shown as soon as it is there.
    let waits = true;
    app.on("takes", () => {
      if (waits && app.takes[0] && app.shown.length === 0) app.try(app.show([app.takes[0].id]));
      waits = app.takes.length === 0;
    });
  }
  document.body.dataset["ready"] = "yes";
  void app.watch();
}

let last = performance.now();
function tickTock(now: number): void {
  app.clock.advance(Math.min(now - last, 250) / 1000);
  last = now;
  stage.draw();
  requestAnimationFrame(tickTock);
}
app.clock.onChange(() => stage.set(app.clock.now));
requestAnimationFrame(tickTock);
app.try(start());

/** For the console, and for tests. */
Object.assign(globalThis, { marey: app });
