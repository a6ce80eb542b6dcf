// Runs in the browser: loads a file with three.js, plays it and draws it.
import * as THREE from "three";
import { BVHLoader } from "three/addons/loaders/BVHLoader.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { VRMLoaderPlugin } from "@pixiv/three-vrm";

const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
document.body.append(renderer.domElement);

let loaded;
let bvh;

/** An action that plays once and stays at its end. */
const once = (action) => {
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  return action;
};

/** Loads a file; returns the number of animations, the number and the names of the joints of each skin, and the bones of a VRM. */
globalThis.load = async (bytes) => {
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  const gltf = await loader.parseAsync(Uint8Array.from(bytes).buffer, "");
  const skins = gltf.parser.json.skins.map(({ joints }) => joints);
  const joints = await Promise.all(
    skins.map((skin) => Promise.all(skin.map((node) => gltf.parser.getDependency("node", node)))),
  );
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const action = once(mixer.clipAction(gltf.animations[0]));
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0xeef0f2);
  scene.add(gltf.scene, new THREE.HemisphereLight(0xffffff, 0x9a958c, 2.2));
  const sun = new THREE.DirectionalLight(0xffffff, 2.4);
  sun.position.set(2, 4, 3);
  scene.add(sun);
  loaded = { gltf, joints, mixer, action, scene };
  const vrm = Object.keys(gltf.userData.vrm?.humanoid.humanBones ?? {});
  const names = joints.map((skin) => skin.map(({ name }) => name));
  return { animations: gltf.animations.length, joints: joints.map((skin) => skin.length), names, vrm };
};

/** Loads a BVH of one actor; returns its duration. */
globalThis.loadBvh = (text) => {
  const { skeleton, clip } = new BVHLoader().parse(text);
  const mixer = new THREE.AnimationMixer(skeleton.bones[0]);
  bvh = { skeleton, mixer, action: once(mixer.clipAction(clip)) };
  return clip.duration;
};

/** Plays the BVH to a time; returns the position of each joint by name, in its unit. */
globalThis.bvhPositionsAt = (secs) => {
  const { skeleton, mixer, action } = bvh;
  action.reset().play();
  mixer.setTime(secs);
  skeleton.bones[0].updateMatrixWorld(true);
  return Object.fromEntries(skeleton.bones.map((bone) => [bone.name, new THREE.Vector3().setFromMatrixPosition(bone.matrixWorld).toArray()]));
};

/** Plays to a time; returns the position of each joint of each skin. */
globalThis.positionsAt = (secs) => {
  const { joints, mixer, action, scene } = loaded;
  action.reset().play();
  mixer.setTime(secs);
  scene.updateMatrixWorld(true);
  return joints.map((skin) => skin.map((joint) => new THREE.Vector3().setFromMatrixPosition(joint.matrixWorld).toArray()));
};

/** Draws the scene from a direction; returns the fraction of pixels that are not background, and the size of the model. */
globalThis.draw = (width, height, [x, y, z], closeness) => {
  const { scene, gltf } = loaded;
  renderer.setSize(width, height);
  const box = new THREE.Box3().setFromObject(gltf.scene, true);
  const [middle, size] = [box.getCenter(new THREE.Vector3()), box.getSize(new THREE.Vector3())];
  const camera = new THREE.PerspectiveCamera(25, width / height, 0.01, 1000);
  const distance = (closeness * size.length()) / (2 * Math.tan((12.5 * Math.PI) / 180));
  camera.position.copy(middle).addScaledVector(new THREE.Vector3(x, y, z).normalize(), distance);
  camera.lookAt(middle);
  renderer.render(scene, camera);
  const gl = renderer.getContext();
  const pixels = new Uint8Array(4 * width * height);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  let drawn = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    drawn += [0, 1, 2].some((c) => Math.abs(pixels[i + c] - pixels[c]) > 6);
  }
  return { fraction: drawn / (width * height), size: size.toArray() };
};
globalThis.ready = true;
