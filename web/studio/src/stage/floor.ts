// The floor: a grid with a line every metre, that is wherever one looks.
import { Color, GridHelper, Group, type LineBasicMaterial, Mesh, MeshStandardMaterial, PlaneGeometry, type Vector3 } from "three";
import { STAGE } from "./colours.ts";

const SIZE_M = 80;

export class Floor {
  readonly group = new Group();

  constructor() {
    const plane = new Mesh(
      new PlaneGeometry(4 * SIZE_M, 4 * SIZE_M),
      // Without depth of its own: lines lie on it, and feet that sink are seen to.
      new MeshStandardMaterial({ color: STAGE.floor, roughness: 0.95, metalness: 0, depthWrite: false }),
    );
    plane.rotation.x = -Math.PI / 2;
    plane.renderOrder = -2;
    plane.receiveShadow = true;
    const fine = grid(SIZE_M, SIZE_M, STAGE.line, 0.75);
    const strong = grid(SIZE_M, SIZE_M / 5, STAGE.strong, 0.9);
    this.group.add(plane, fine, strong);
  }

  /** Goes along with what is looked at, in steps of five metres so that nobody sees it move. */
  follow({ x, z }: Vector3): void {
    this.group.position.set(5 * Math.round(x / 5), 0, 5 * Math.round(z / 5));
  }
}

function grid(size: number, divisions: number, colour: string, opacity: number): GridHelper {
  const lines = new GridHelper(size, divisions, new Color(colour), new Color(colour));
  const material = lines.material as LineBasicMaterial;
  material.transparent = true;
  material.opacity = opacity;
  material.depthWrite = false;
  lines.renderOrder = -1;
  return lines;
}
