// Characters of the corpus: which one shows the motions, and their models.
import { type Problem, deleteAt, getBytes, getJson, postFile } from "./api.ts";
import type { App } from "./app.ts";
import { button, chooser, fill, h } from "./dom.ts";
import type { Motion } from "./motion.ts";
import { type Rig, CharacterSkin } from "./stage/character.ts";

interface Character {
  id: number;
  name: string;
}

/** A character that was added to the corpus. */
export interface AddedCharacter extends Character {
  warnings: Problem[];
}

/** Files that are characters and nothing else. */
const CHARACTER_ONLY = /\.vrm$/i;

/** Whether a file is shown as a character when it is dropped. */
export const isCharacter = (name: string): boolean => CHARACTER_ONLY.test(name);

interface Model {
  bytes: ArrayBuffer;
  rig: Rig;
}

/** The characters that are chosen: for every actor, and for actors by name. 0 is the mannequin. */
interface Choice {
  every: number;
  named: Map<string, number>;
}

export class Characters {
  readonly element: HTMLElement;
  private readonly app: App;
  private readonly select = h("select", { aria: { label: "Shown character" }, title: "The character that shows the motions", on: { change: () => this.app.try(this.choose(Number(this.select.value))) } });
  private readonly ofActors = h("span", { class: "of-actors" });
  private readonly input: HTMLInputElement;
  private readonly removing = button("Remove", "Remove this character from the corpus", () => this.app.try(this.remove()), { hidden: true });
  private all: Character[] = [];
  private choice: Choice = { every: 0, named: new Map() };
  /** The files of the chosen characters by id; null if the page cannot show one. */
  private models = new Map<number, Model | null>();

  constructor(app: App) {
    this.app = app;
    this.input = h("input", { type: "file", hidden: true, aria: { label: "Character file" }, on: { change: () => this.app.try(this.addFile(this.input.files?.[0])) } });
    this.element = h("div", { class: "characters" }, this.select, this.ofActors, button("Character…", "Show motions on your own character: a GLB, VRM or FBX file", () => this.input.click()), this.removing, this.input);
    app.on("shown", () => this.build());
    this.build();
  }

  /** The query of requests for motion on the chosen characters. The server ignores actors that a motion does not have. */
  query(): string {
    const { every, named } = this.choice;
    const parts = [...named].map(([actor, id]) => `character=${id}:${encodeURIComponent(actor)}`);
    if (every !== 0) parts.unshift(`character=${every}`);
    return parts.length === 0 ? "" : `?${parts.join("&")}`;
  }

  /** Gives each actor of a motion a figure of its character. */
  async dress(motion: Motion): Promise<Motion> {
    const { choice, models } = this;
    const skins = motion.actors.map(({ name }) => {
      const model = models.get(choice.named.get(name) ?? choice.every);
      return model ? CharacterSkin.load(model.bytes, model.rig) : null;
    });
    for (const [index, skin] of (await Promise.all(skins)).entries()) motion.actors[index]!.skin = skin;
    return motion;
  }

  /** Reads the list of characters. */
  async refresh(): Promise<void> {
    this.all = (await getJson<{ characters: Character[] }>("/api/characters")).characters;
    const isThere = (id: number) => this.all.some((character) => character.id === id);
    const { every, named } = this.choice;
    const kept: Choice = { every: isThere(every) ? every : 0, named: new Map([...named].filter(([, id]) => isThere(id))) };
    if (kept.every !== every || kept.named.size !== named.size) await this.set(kept);
    this.build();
  }

  /** Adds a file as a character, and shows motions on it. */
  async addFile(file: File | undefined): Promise<void> {
    if (!file) return;
    this.input.value = "";
    await this.add(() => postFile<AddedCharacter>(`/api/characters?name=${encodeURIComponent(file.name)}`, file));
  }

  /** Adds a character by a request, and shows motions on it. */
  async add(request: () => Promise<AddedCharacter>): Promise<void> {
    const { id, name, warnings } = await request();
    await this.refresh();
    await this.choose(id);
    this.app.notices.good(`${name} was added to the corpus`);
    this.app.notices.setWarnings(warnings);
  }

  /** Chooses the character of every actor without one of its own. */
  private choose(every: number): Promise<void> {
    return this.set({ ...this.choice, every });
  }

  /** Chooses the character of one actor; 0 for that of every actor. */
  private chooseFor(actor: string, id: number): Promise<void> {
    const named = new Map(this.choice.named);
    if (id === 0) named.delete(actor);
    else named.set(actor, id);
    return this.set({ ...this.choice, named });
  }

  private async set(choice: Choice): Promise<void> {
    const before = { choice: this.choice, models: this.models };
    try {
      const ids = new Set([choice.every, ...choice.named.values()]);
      const models = await Promise.all([...ids].map(async (id) => [id, this.models.has(id) ? this.models.get(id)! : await loadModel(id)] as const));
      Object.assign(this, { choice, models: new Map(models) });
      await this.app.reload();
    } catch (thrown) {
      // A figure that cannot be shown or moved: the stage stays as it was.
      Object.assign(this, before);
      throw thrown;
    } finally {
      this.build();
    }
  }

  private async remove(): Promise<void> {
    const id = this.choice.every;
    const named = new Map([...this.choice.named].filter(([, other]) => other !== id));
    await this.set({ every: 0, named });
    await deleteAt(`/api/characters/${id}`);
    await this.refresh();
  }

  private build(): void {
    const option = ({ id, name }: Character) => h("option", { value: String(id) }, name);
    const { every, named } = this.choice;
    fill(this.select, ...[{ id: 0, name: "Mannequin" }, ...this.all].map(option));
    this.select.value = String(every);
    this.removing.hidden = every === 0;
    // Partners can have characters of their own.
    const partners = this.app.shown.filter(({ motion }) => motion.actors.length > 1).flatMap(({ motion }) => motion.actors.map(({ name }) => name));
    const actors = this.all.length === 0 ? [] : [...new Set([...partners, ...named.keys()])];
    fill(
      this.ofActors,
      ...actors.map((actor) => {
        const select = chooser(`Character of ${actor}`, [["0", "as all"]], (id) => this.app.try(this.chooseFor(actor, Number(id))));
        select.append(...this.all.map(option));
        select.value = String(named.get(actor) ?? 0);
        return h("label", { title: `The character that shows ${actor}` }, actor, select);
      }),
    );
  }
}

/** The file of a character; null if the page cannot show it. */
async function loadModel(id: number): Promise<Model | null> {
  if (id === 0) return null;
  const { rig } = await getJson<{ rig: Rig | null }>(`/api/characters/${id}/rig`);
  return rig && { bytes: await getBytes(`/api/characters/${id}/model`), rig };
}
