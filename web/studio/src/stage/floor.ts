// The floor: a line every metre, and a stronger one every five metres.
import { CanvasTexture, Mesh, MeshStandardMaterial, PlaneGeometry, RepeatWrapping, SRGBColorSpace, type Vector3 } from "three";
import { STAGE } from "./colours.ts";

/** Size of the repeated tile, in metres. */
const TILE_M = 5;
/** Number of tiles to either side. */
const TILES = 40;
const TILE_PX = 1024;

export class Floor {
  readonly mesh: Mesh;

  constructor() {
    const map = new CanvasTexture(tile());
    map.wrapS = RepeatWrapping;
    map.wrapT = RepeatWrapping;
    map.repeat.set(2 * TILES, 2 * TILES);
    map.colorSpace = SRGBColorSpace;
    map.anisotropy = 8;
    // The floor writes no depth, so that feet below it stay visible.
    const material = new MeshStandardMaterial({ map, roughness: 0.95, metalness: 0, depthWrite: false });
    this.mesh = new Mesh(new PlaneGeometry(2 * TILES * TILE_M, 2 * TILES * TILE_M), material);
    this.mesh.rotation.x = -Math.PI / 2;
    this.mesh.renderOrder = -2;
    this.mesh.receiveShadow = true;
  }

  /** Moves the floor with the camera by whole tiles, so that the movement is invisible. */
  follow({ x, z }: Vector3, levelM: number): void {
    this.mesh.position.set(TILE_M * Math.round(x / TILE_M), levelM, TILE_M * Math.round(z / TILE_M));
  }
}

/** One tile, with strong lines at its edges. */
function tile(): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = TILE_PX;
  canvas.height = TILE_PX;
  const paint = canvas.getContext("2d");
  if (!paint) return canvas;
  paint.fillStyle = STAGE.floor;
  paint.fillRect(0, 0, TILE_PX, TILE_PX);
  for (let metre = 0; metre <= TILE_M; metre++) {
    const isEdge = metre % TILE_M === 0;
    const wide = isEdge ? 7 : 3.5;
    paint.fillStyle = isEdge ? STAGE.strong : STAGE.line;
    const at = (metre / TILE_M) * TILE_PX - wide / 2;
    paint.fillRect(at, 0, wide, TILE_PX);
    paint.fillRect(0, at, TILE_PX, wide);
  }
  return canvas;
}
