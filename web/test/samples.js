// The files under test, which are written by `cargo run --package marey-formats --example gltf_samples -- FOLDER`.
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";

const folder = process.env.MAREY_SAMPLES;
if (!folder) throw new Error("MAREY_SAMPLES is not set; `cargo xtask test` sets it");

/** The names of all files, sorted. */
export const names = (await readdir(folder)).filter((name) => /\.(glb|gltf)$/.test(name)).sort();

/** The names of VRM animations, sorted. */
export const animations = (await readdir(join(folder, "vrma"))).filter((name) => name.endsWith(".vrma")).sort().map((name) => `vrma/${name}`);

/** The names of characters, sorted: each is there with motion, and in the folder `originals` without. */
export const originals = (await readdir(join(folder, "originals"))).sort();

/** The bytes of a character without motion. */
export const original = (name) => readFile(join(folder, "originals", name));

/** The bytes of a file. */
export const bytes = (name) => readFile(join(folder, name));

/** The positions of its joints in some frames. */
export const truth = async (name) => JSON.parse(await readFile(join(folder, `${name}.truth.json`), "utf8"));

/** A path beside the samples, for pictures. */
export const beside = (name) => join(folder, name);
