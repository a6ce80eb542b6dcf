// Runs in the browser: plays a VRM animation on a VRM character with three-vrm.
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { VRMLoaderPlugin } from "@pixiv/three-vrm";
import { VRMAnimationLoaderPlugin, createVRMAnimationClip } from "@pixiv/three-vrm-animation";

let loaded;

const parse = (bytes) => {
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  loader.register((parser) => new VRMAnimationLoaderPlugin(parser));
  return loader.parseAsync(Uint8Array.from(bytes).buffer, "");
};

/** Loads a character and an animation; returns the number of animations, the duration, and the animated bones. */
globalThis.loadAnimation = async (character, animation) => {
  const { vrm } = (await parse(character)).userData;
  const { vrmAnimations } = (await parse(animation)).userData;
  const clip = createVRMAnimationClip(vrmAnimations[0], vrm);
  const mixer = new THREE.AnimationMixer(vrm.scene);
  const action = mixer.clipAction(clip);
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  loaded = { vrm, mixer, action };
  const bones = [...vrmAnimations[0].humanoidTracks.rotation.keys()];
  return { animations: vrmAnimations.length, secs: clip.duration, bones };
};

/** Plays to a time; returns the position of each of these bones of the character. */
globalThis.bonesAt = (secs, bones) => {
  const { vrm, mixer, action } = loaded;
  action.reset().play();
  mixer.setTime(secs);
  vrm.humanoid.update();
  vrm.scene.updateMatrixWorld(true);
  const place = (bone) => new THREE.Vector3().setFromMatrixPosition(vrm.humanoid.getRawBoneNode(bone).matrixWorld);
  return bones.map((bone) => place(bone).toArray());
};
globalThis.ready = true;
