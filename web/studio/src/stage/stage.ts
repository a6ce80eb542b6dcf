// The stage: lights, floor, camera and motions. It is drawn only after a change.
import {
  Color,
  DirectionalLight,
  Fog,
  HemisphereLight,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Scene,
  SRGBColorSpace,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Motion } from "../motion.ts";
import { STAGE } from "./colours.ts";
import { Floor } from "./floor.ts";
import { Ground } from "./ground.ts";
import { Inset } from "./inset.ts";
import { PlaceMarks } from "./place_marks.ts";
import { Sketch } from "./sketch.ts";
import { type ViewOptions, Cast } from "./cast.ts";
import { WorldView } from "./world_view.ts";

/** Fraction of a vertical movement that the camera follows in a frame. */
const VERTICAL_FOLLOW = 0.06;
/** Minimum height of the camera in a world, in metres. */
const MIN_EYE_M = 2.4;
const EYE = new Vector3(2.6, 1.7, 4.2);

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly sketch = new Sketch();
  readonly placeMarks = new PlaceMarks();
  readonly ground = new Ground();
  readonly worldView = new WorldView();
  readonly inset = new Inset(() => this.wake());
  casts: Cast[] = [];
  /** Whether each motion has its own view. */
  isSplit = false;
  /** Whether the camera follows the motion. */
  follows = true;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(32, 1, 0.1, 200);
  private readonly controls: OrbitControls;
  private readonly floor = new Floor();
  private readonly sun = new DirectionalLight("#fff4e2", 2.1);
  private options: ViewOptions = { ghosts: false, trails: false, feet: true, mass: false };
  private isDirty = true;
  private secs = 0;
  private readonly drawn: (() => void)[] = [];

  constructor() {
    this.renderer = new WebGLRenderer({ antialias: true, powerPreference: "high-performance" });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.shadowMap.enabled = true;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.scene.background = new Color(STAGE.sky);
    this.scene.fog = new Fog(STAGE.sky, 14, 46);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.radius = 3;
    this.sun.shadow.bias = -0.0006;
    this.sun.shadow.normalBias = 0.02;
    const reach = { left: -4, right: 4, top: 4, bottom: -4, near: 0.5, far: 20 };
    Object.assign(this.sun.shadow.camera, reach);
    const fill = new DirectionalLight("#9fc0ff", 0.5);
    fill.position.set(-3, 2, -4);
    const sky = new HemisphereLight("#dfe9f7", "#4a4640", 1.15);
    this.scene.add(this.floor.mesh, sky, this.sun, this.sun.target, fill, this.sketch.group, this.placeMarks.group, this.ground.group, this.worldView.group);
    this.camera.position.copy(EYE);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.target.set(0, 0.95, 0);
    this.controls.maxPolarAngle = Math.PI * 0.495;
    this.controls.minDistance = 0.6;
    this.controls.maxDistance = 40;
    this.controls.screenSpacePanning = false;
    this.controls.addEventListener("change", () => this.wake());
    new ResizeObserver(() => this.resize()).observe(this.canvas);
  }

  /** Requests a new picture. */
  wake(): void {
    this.isDirty = true;
  }

  /** Calls the listener after each picture, to position overlays. */
  onDraw(listener: () => void): void {
    this.drawn.push(listener);
  }

  /** Replaces the motions on the stage. */
  put(motions: Motion[]): void {
    for (const cast of this.casts) cast.dispose();
    let first = 0;
    this.casts = motions.map((motion) => {
      const cast = new Cast(motion, first);
      first += motion.actors.length;
      cast.show(this.options);
      this.scene.add(cast.group);
      return cast;
    });
    this.set(this.secs);
  }

  /** Sets what is drawn around figures. */
  show(options: ViewOptions): void {
    this.options = options;
    for (const cast of this.casts) cast.show(options);
    this.set(this.secs);
  }

  /** Poses all figures at a time and moves the camera. */
  set(secs: number): void {
    this.secs = secs;
    for (const cast of this.casts) cast.set(secs);
    this.inset.at(secs);
    const lead = this.casts[0];
    if (this.follows && lead && !this.sketch.isOpen) {
      const middle = lead.hipsCentre(new Vector3());
      const { y } = this.controls.target;
      // In a world, the camera follows changes of height smoothly; on a level floor it ignores them.
      middle.y = this.worldView.isShown ? y + VERTICAL_FOLLOW * (middle.y - y) : y;
      const shift = middle.sub(this.controls.target);
      this.controls.target.add(shift);
      // In a pit, the camera stays above its edge.
      if (this.worldView.isShown && this.camera.position.y + shift.y < MIN_EYE_M) shift.y = 0;
      this.camera.position.add(shift);
    }
    this.wake();
  }

  /** Views all figures from the front and a little above. */
  frame(): void {
    const lead = this.casts[0];
    const middle = lead ? lead.hipsCentre(new Vector3()) : new Vector3(0, 0.95, 0);
    const size = Math.max(...this.casts.map((cast) => cast.size()), 1.6);
    const squeeze = Math.max(1, 1.15 / this.camera.aspect);
    this.controls.target.copy(middle).setY(Math.min(Math.max(middle.y, 0.5), 1));
    this.camera.position.copy(this.controls.target).addScaledVector(EYE.clone().normalize(), 2.45 * size * squeeze);
    this.controls.update();
    this.wake();
  }

  /** Views the floor from above, for drawing. */
  viewFromAbove(): void {
    const { x, z } = this.controls.target;
    this.controls.target.set(x, 0, z);
    this.camera.position.set(x, 9.5 * Math.max(1, 1.4 / this.camera.aspect), z + 5.5);
    this.controls.update();
    this.wake();
  }

  /** Views the figures from behind, along +Z. */
  viewFromBehind(): void {
    const middle = this.casts[0]?.hipsCentre(new Vector3()) ?? new Vector3();
    this.controls.target.copy(middle).setY(1.1);
    this.camera.position.copy(middle).add(new Vector3(-1.9, 1.5, -5.2));
    this.controls.update();
    this.wake();
  }

  /** Views a stretch of ground from the side. */
  viewFromSide(from: number, to: number): void {
    const middle = (from + to) / 2;
    const wide = (to - from) / (2 * Math.tan((this.camera.fov * Math.PI) / 360) * this.camera.aspect);
    this.controls.target.set(0, 0.15, middle);
    this.camera.position.set(-1.08 * wide - 0.5, 0.3 * wide, middle);
    this.controls.update();
    this.wake();
  }

  /** Whether the mouse moves the camera. */
  set hasControls(enabled: boolean) {
    this.controls.enabled = enabled;
  }

  /** The position of a pointer on the floor, in metres. */
  floorAt(event: MouseEvent): { x: number; z: number } | null {
    const hit = this.hit(event, new Vector3(0, 1, 0));
    return hit && { x: hit.x, z: hit.z };
  }

  /** The position of a pointer in the profile of the ground: distance and height, in metres. */
  profileAt(event: MouseEvent): { along: number; up: number } | null {
    const hit = this.hit(event, new Vector3(1, 0, 0));
    return hit && { along: hit.z, up: hit.y };
  }

  private hit(event: MouseEvent, normal: Vector3): Vector3 | null {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const at = new Vector2(((event.clientX - left) / width) * 2 - 1, 1 - ((event.clientY - top) / height) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    const hit = ray.ray.intersectPlane(new Plane(normal, 0), new Vector3());
    return hit && hit.distanceTo(this.camera.position) < 80 ? hit : null;
  }

  /** The position on the page of a point in the world. */
  pageAt(x: number, z: number, y = 0): { x: number; y: number } {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    this.camera.updateMatrixWorld();
    const at = new Vector3(x, y, z).project(this.camera);
    return { x: left + ((at.x + 1) / 2) * width, y: top + ((1 - at.y) / 2) * height };
  }

  /** A picture of the middle of the stage. */
  picture(width: number, height: number): Promise<Blob> {
    this.wake();
    this.draw();
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [width, height];
    const { width: wide, height: high } = this.canvas;
    // The largest area with the requested aspect ratio, reduced by a margin.
    const scale = 0.8 * Math.min(wide / width, high / height);
    const [w, t] = [scale * width, scale * height];
    copy.getContext("2d")?.drawImage(this.canvas, (wide - w) / 2, (high - t) / 2, w, t, 0, 0, width, height);
    return new Promise((resolve, reject) => copy.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The stage could not be drawn.")))));
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.wake();
    // Draw at once, so that the canvas is never empty.
    this.draw();
  }

  /** Draws if something has changed; returns whether it did. */
  draw(): boolean {
    if (!this.isDirty) return false;
    this.isDirty = false;
    this.controls.update();
    this.isDirty = false;
    const size = this.renderer.getSize(new Vector2());
    const cells = this.isSplit && this.casts.length > 1 ? this.casts.length : 1;
    const columns = cells > 2 && size.x < 2.2 * size.y ? 2 : size.x > 0.9 * size.y ? cells : 1;
    const rows = Math.ceil(cells / columns);
    const [width, height] = [size.x / columns, size.y / rows];
    const home = this.camera.position.clone();
    const lead = this.casts[0]?.hipsCentre(new Vector3());
    this.renderer.setScissorTest(cells > 1);
    for (let cell = 0; cell < cells; cell++) {
      const [left, top] = [(cell % columns) * width, Math.floor(cell / columns) * height];
      this.renderer.setViewport(left, size.y - top - height, width, height);
      this.renderer.setScissor(left, size.y - top - height, width - (cells > 1 ? 1 : 0), height - (rows > 1 ? 1 : 0));
      const target = this.controls.target.clone();
      if (cells > 1) {
        this.casts.forEach((cast, index) => (cast.group.visible = index === cell));
        const shift = this.casts[cell]!.hipsCentre(new Vector3()).sub(lead!).setY(0);
        this.camera.position.copy(home).add(shift);
        target.add(shift);
      } else {
        for (const cast of this.casts) cast.group.visible = true;
      }
      this.light(target);
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
      this.renderer.render(this.scene, this.camera);
    }
    this.camera.position.copy(home);
    this.camera.aspect = width / height;
    this.camera.updateMatrixWorld();
    if (this.inset.isShown) this.drawInset(size);
    for (const listener of this.drawn) listener();
    return true;
  }

  private drawInset({ y: high }: Vector2): void {
    const { left, top } = this.canvas.getBoundingClientRect();
    const at = this.inset.element.getBoundingClientRect();
    const [x, y] = [at.left - left, high - (at.bottom - top)];
    this.renderer.setScissorTest(true);
    this.renderer.setViewport(x, y, at.width, at.height);
    this.renderer.setScissor(x, y, at.width, at.height);
    this.inset.camera.aspect = at.width / Math.max(at.height, 1);
    this.inset.camera.updateProjectionMatrix();
    this.renderer.render(this.inset.scene, this.inset.camera);
    this.renderer.setScissorTest(false);
  }

  private light(at: Vector3): void {
    this.floor.follow(at, this.worldView.isShown ? this.worldView.bottomM : this.ground.baseM);
    this.sun.target.position.set(at.x, 0.5, at.z);
    this.sun.position.set(at.x + 2.4, 7, at.z + 3.1);
  }
}
