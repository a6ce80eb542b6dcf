// Characters of the corpus: which one shows the motions, and their models.
import { type Problem, deleteAt, getBytes, getJson, postFile } from "./api.ts";
import type { App } from "./app.ts";
import { button, fill, h } from "./dom.ts";
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

export class Characters {
  readonly element: HTMLElement;
  private readonly app: App;
  private readonly select = h("select", { aria: { label: "Shown character" }, title: "The character that shows the motions", on: { change: () => this.app.try(this.choose(Number(this.select.value))) } });
  private readonly input: HTMLInputElement;
  private readonly removing = button("Remove", "Remove this character from the corpus", () => this.app.try(this.remove()), { hidden: true });
  private all: Character[] = [];
  /** The id of the chosen character; 0 for the mannequin. */
  private chosen = 0;
  /** The file of the chosen character; null if the page cannot show it. */
  private model: { bytes: ArrayBuffer; rig: Rig } | null = null;

  constructor(app: App) {
    this.app = app;
    this.input = h("input", { type: "file", hidden: true, aria: { label: "Character file" }, on: { change: () => this.app.try(this.addFile(this.input.files?.[0])) } });
    this.element = h("div", { class: "characters" }, this.select, button("Character…", "Show motions on your own character: a GLB, VRM or FBX file", () => this.input.click()), this.removing, this.input);
    this.build();
  }

  /** The query of requests for motion on the chosen character. */
  query(): string {
    return this.chosen === 0 ? "" : `?character=${this.chosen}`;
  }

  /** Gives each actor of a motion a figure of the chosen character. */
  async dress(motion: Motion): Promise<Motion> {
    const { model } = this;
    if (model) {
      const skins = await Promise.all(motion.actors.map(() => CharacterSkin.load(model.bytes, model.rig)));
      motion.actors.forEach((actor, index) => (actor.skin = skins[index]!));
    }
    return motion;
  }

  /** Reads the list of characters. */
  async refresh(): Promise<void> {
    this.all = (await getJson<{ characters: Character[] }>("/api/characters")).characters;
    if (this.chosen !== 0 && !this.all.some(({ id }) => id === this.chosen)) await this.choose(0);
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

  private async choose(id: number): Promise<void> {
    const before = { chosen: this.chosen, model: this.model };
    try {
      const { rig } = id === 0 ? { rig: null } : await getJson<{ rig: Rig | null }>(`/api/characters/${id}/rig`);
      this.model = rig && { bytes: await getBytes(`/api/characters/${id}/model`), rig };
      this.chosen = id;
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
    const id = this.chosen;
    await this.choose(0);
    await deleteAt(`/api/characters/${id}`);
    await this.refresh();
  }

  private build(): void {
    const options: Character[] = [{ id: 0, name: "Mannequin" }, ...this.all];
    fill(this.select, ...options.map(({ id, name }) => h("option", { value: String(id) }, name)));
    this.select.value = String(this.chosen);
    this.removing.hidden = this.chosen === 0;
  }
}
