// Where the files under test are: written by `cargo run --package marey-formats --example gltf_samples -- FOLDER`.
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";

const folder = process.env.MAREY_SAMPLES;
if (!folder) throw new Error("MAREY_SAMPLES names no folder; `cargo xtask test` sets it");

/** The names of all files, sorted. */
export const names = (await readdir(folder)).filter((name) => /\.(glb|gltf)$/.test(name)).sort();

/** The bytes of a file. */
export const bytes = (name) => readFile(join(folder, name));

/** Where its joints are, in some frames. */
export const truth = async (name) => JSON.parse(await readFile(join(folder, `${name}.truth.json`), "utf8"));

/** A path beside the samples, for what a person may want to look at. */
export const beside = (name) => join(folder, name);
