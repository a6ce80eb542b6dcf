// Assembles the page.
import { getJson } from "./api.ts";
import { App } from "./app.ts";
import { button, fill, h, swatch } from "./dom.ts";
import { Edits } from "./edits.ts";
import { Duet } from "./panels/duet.ts";
import { ExportMenu } from "./panels/export_menu.ts";
import { Facts } from "./panels/facts.ts";
import { Follow } from "./panels/follow.ts";
import { Imports } from "./panels/imports.ts";
import { Library } from "./panels/library.ts";
import { Perform } from "./panels/perform.ts";
import { Realise } from "./panels/realise.ts";
import { Traverse } from "./panels/traverse.ts";
import { Tween } from "./panels/tween.ts";
import { Vary } from "./panels/vary.ts";
import { Why } from "./panels/why.ts";
import { type Group, listen, panel } from "./shortcuts.ts";
import { Stage } from "./stage/stage.ts";
import type { ViewOptions } from "./stage/cast.ts";
import { changeSpeed, step } from "./timeline/transport.ts";
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
const timeline = new Timeline(app, edits, (actor, placement) => why.show(actor, placement));
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
const exports = new ExportMenu(app);

// The library, and a panel for each engine.
interface SidePanel {
  label: string;
  element: HTMLElement;
  leave?: () => void;
  enter?: () => void;
}
const panels: Record<string, SidePanel> = {
  library: { label: "Library", element: h("div", { class: "stack" }, imports.element, library.element) },
  follow: { label: "Follow", element: follow.element, leave: () => follow.toggle(false) },
  traverse: { label: "Traverse", element: traverse.element, enter: () => traverse.enter(), leave: () => traverse.leave() },
  duet: { label: "Duet", element: duet.element, leave: () => duet.leave() },
  perform: { label: "Perform", element: perform.element, leave: () => perform.leave() },
  vary: { label: "Vary", element: vary.element },
  tween: { label: "Tween", element: tween.element, enter: () => tween.enter(), leave: () => tween.leave() },
  realise: { label: "Realise", element: realise.element },
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
  updateToggles();
}

// What the stage draws around figures.
const viewOptions: ViewOptions = { ghosts: false, trails: false, feet: true, mass: false };
const views: { name: string; label: string; title: string; key: string; get: () => boolean; toggle: () => void }[] = [
  view("follow", "Follow", "Camera follows the motion", "f", () => stage.follows, () => (stage.follows = !stage.follows)),
  ...(["ghosts", "trails", "feet", "mass"] as const).map((name) =>
    view(name, { ghosts: "Ghosts", trails: "Trails", feet: "Feet", mass: "Mass" }[name], { ghosts: "Earlier and later poses", trails: "Trails of hands, feet, hips and head", feet: "Foot contacts", mass: "Centre of mass" }[name], { ghosts: "o", trails: "r", feet: "p", mass: "m" }[name], () => viewOptions[name], () => {
      viewOptions[name] = !viewOptions[name];
      stage.show({ ...viewOptions });
    }),
  ),
  view("split", "Side by side", "Show each motion in its own view", "v", () => stage.isSplit, () => (stage.isSplit = !stage.isSplit)),
];

function view(name: string, label: string, title: string, key: string, get: () => boolean, toggle: () => void) {
  return { name, label, title, key, get, toggle };
}

const toggles = h("div", { class: "toggles", role: "toolbar", aria: { label: "View" } });
for (const { name, label, title, key, toggle } of views) {
  toggles.append(
    button(label, `${title} (${key.toUpperCase()})`, () => {
      toggle();
      updateToggles();
    }, { data: { view: name } }),
  );
}
toggles.append(app.characters.element);
toggles.append(button("Frame", "Fit all characters into view (H)", () => stage.frame()));

function updateToggles(): void {
  for (const { name, get } of views) toggles.querySelector(`[data-view=${name}]`)?.setAttribute("aria-pressed", String(get()));
  stage.wake();
}

// The motions on the stage. A click selects one for the timeline.
const cast = h("ul", { class: "cast", aria: { label: "On stage" } });
app.on("shown", () => {
  fill(
    cast,
    ...app.shown.map(({ about, motion }, index) => {
      const colours = stage.casts[index]?.colours ?? [];
      const actors = motion.actors.length > 1 ? ` (${motion.actors.map(({ name }) => name).join(", ")})` : "";
      return h(
        "li",
        { class: index === app.active ? "active" : "" },
        h("button", { type: "button", title: "Show on the timeline", aria: { pressed: String(index === app.active) }, on: { click: () => app.choose(index) } }, ...colours.map(swatch), about.name, h("span", { class: "dim" }, actors)),
        button("×", `Remove ${about.name} from the stage`, () => app.hide(index), { class: "close", aria: { label: `Remove ${about.name} from the stage` } }),
      );
    }),
  );
  const names = app.shown.map(({ about }) => about.name).join(", ");
  stage.canvas.setAttribute("aria-label", names === "" ? "Empty stage" : `On stage: ${names}`);
  stage.inset.set(app.lead?.about.overlay?.attractor ?? null);
  updateToggles();
});

const groups: Group[] = [
  {
    name: "Playback",
    shortcuts: [
      { keys: [" ", "k"], does: "play or pause", act: () => app.clock.toggle() },
      { keys: ["ArrowLeft"], does: "previous frame", act: () => step(app, -1) },
      { keys: ["ArrowRight"], does: "next frame", act: () => step(app, 1) },
      { keys: ["Shift+ArrowLeft"], does: "back ten frames", act: () => step(app, -10) },
      { keys: ["Shift+ArrowRight"], does: "forward ten frames", act: () => step(app, 10) },
      { keys: ["Home"], does: "go to the start", act: () => app.clock.seek(0) },
      { keys: ["End"], does: "go to the end", act: () => app.clock.seek(app.clock.secs) },
      { keys: ["j"], does: "slower", act: () => changeSpeed(app, -1) },
      { keys: ["l"], does: "faster", act: () => changeSpeed(app, 1) },
      { keys: ["a"], does: "set the start of the loop", act: () => app.clock.mark("a") },
      { keys: ["b"], does: "set the end of the loop", act: () => app.clock.mark("b") },
      { keys: ["\\"], does: "clear the loop", act: () => app.clock.clearLoop() },
    ],
  },
  {
    name: "View",
    shortcuts: [
      ...views.map(({ key, title, toggle }) => ({
        keys: [key],
        does: title.toLowerCase(),
        act: () => {
          toggle();
          updateToggles();
        },
      })),
      { keys: ["h"], does: "fit all characters into view", act: () => stage.frame() },
    ],
  },
  {
    name: "Editing",
    shortcuts: [
      { keys: ["d"], does: "draw a path", act: () => (choose("follow"), follow.toggle()) },
      { keys: ["t"], does: "tag the loop, or one second", act: () => timeline.addTag() },
      { keys: ["g"], does: "add a segment over the loop, or one second", act: () => timeline.addSegment() },
      { keys: ["["], does: "start a row of poses with the current one", act: () => (choose("tween"), tween.start()) },
      { keys: ["]"], does: "add the current pose to the row", act: () => (choose("tween"), tween.add()) },
      { keys: ["Ctrl+z"], does: "undo", act: () => (chosen === "traverse" ? traverse.undo() : edits.undo()) },
      { keys: ["Ctrl+Z", "Ctrl+y"], does: "redo", act: () => edits.redo() },
      { keys: ["e"], does: "export", act: () => (exports.element.open = !exports.element.open) },
      { keys: ["Escape"], does: "stop drawing, close menus", act: () => (follow.toggle(false), duet.stopDrawing(), tween.stopPlacing(), why.close(), (exports.element.open = false)) },
      { keys: ["?"], does: "show all shortcuts", act: () => keys.showModal() },
    ],
  },
  {
    name: "Live duet",
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
    exports.element,
    button("Shortcuts", "Show all keyboard shortcuts (?)", () => keys.showModal()),
  ),
  h("main", {}, side, h("div", { class: "stage" }, stage.canvas, traverse.handles.element, cast, toggles, stage.inset.element, facts.element, why.element, app.notices.element), timeline.element),
  keys,
);

async function start(): Promise<void> {
  const about = await getJson<AboutStudio>("/api/about");
  corpus.textContent = about.is_example ? "example motion (deleted when the studio ends)" : about.corpus;
  corpus.title = `Marey ${about.version}`;
  for (const [name, { label, element }] of Object.entries(panels)) {
    if (name !== "library" && !about.panels.includes(name)) continue;
    tabs.append(h("button", { type: "button", role: "tab", data: { name }, on: { click: () => choose(name) } }, label));
    side.append(element);
  }
  choose("library");
  await app.refresh();
  const first = app.takes[0];
  if (first) await app.show([first.id]);
  else {
    // Example motion is still being generated: show the first take as soon as it exists.
    let isWaiting = true;
    app.on("takes", () => {
      if (isWaiting && app.takes[0] && app.shown.length === 0) app.try(app.show([app.takes[0].id]));
      isWaiting = app.takes.length === 0;
    });
  }
  document.body.dataset["ready"] = "yes";
  void app.watch();
}

let last = performance.now();
function animate(now: number): void {
  app.clock.advance(Math.min(now - last, 250) / 1000);
  last = now;
  stage.draw();
  requestAnimationFrame(animate);
}
app.clock.onChange(() => stage.set(app.clock.now));
requestAnimationFrame(animate);
app.try(start());

/** For the console and for tests. */
Object.assign(globalThis, { marey: app });
