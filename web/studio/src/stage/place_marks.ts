// Places and headings of poses, as numbered arrows on the floor.
import { BufferAttribute, BufferGeometry, CanvasTexture, DoubleSide, Group, Mesh, MeshBasicMaterial, RingGeometry, Sprite, SpriteMaterial } from "three";

/** A place on the floor: metres, and degrees from +Z towards +X. */
export type Place = [x: number, z: number, degrees: number];

const COLOUR = "#ffd166";
/** Height of the marks above the floor, and of their numbers, in metres. */
const ABOVE_M = 0.006;
const NUMBER_M = 0.16;

export class PlaceMarks {
  readonly group = new Group();

  /** Shows the places of poses; the number of a mark is the position of its pose in the row, from 1. */
  set(places: (Place | null)[]): void {
    for (const mark of this.group.children) dispose(mark as Group);
    this.group.clear();
    places.forEach((place, index) => {
      if (place) this.group.add(mark(place, index + 1));
    });
  }
}

function mark([x, z, degrees]: Place, number: number): Group {
  const group = new Group();
  const paint = new MeshBasicMaterial({ color: COLOUR, side: DoubleSide, depthWrite: false });
  const ring = new Mesh(new RingGeometry(0.11, 0.15, 40), paint);
  ring.rotation.x = -Math.PI / 2;
  const arrow = new BufferGeometry();
  arrow.setAttribute("position", new BufferAttribute(new Float32Array([-0.07, 0, 0.17, 0.07, 0, 0.17, 0, 0, 0.34]), 3));
  group.add(ring, new Mesh(arrow, paint), label(String(number)));
  group.position.set(x, ABOVE_M, z);
  group.rotation.y = (degrees * Math.PI) / 180;
  return group;
}

function label(text: string): Sprite {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext("2d")!;
  pen.font = "bold 44px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = COLOUR;
  pen.fillText(text, 32, 34);
  const sprite = new Sprite(new SpriteMaterial({ map: new CanvasTexture(canvas), depthWrite: false }));
  sprite.scale.setScalar(NUMBER_M);
  sprite.position.y = NUMBER_M / 2;
  return sprite;
}

function dispose(group: Group): void {
  for (const part of group.children) {
    if (part instanceof Sprite) {
      part.material.map?.dispose();
      part.material.dispose();
    } else if (part instanceof Mesh) {
      part.geometry.dispose();
      (part.material as MeshBasicMaterial).dispose();
    }
  }
}
