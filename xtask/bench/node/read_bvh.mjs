// Reads BVH files with three.js's BVHLoader and prints how long it took: node read_bvh.mjs LOADER ROUNDS FILE...
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [loaderPath, rounds, ...files] = process.argv.slice(2);
const { BVHLoader } = await import(pathToFileURL(loaderPath).href);
const texts = files.map((file) => readFileSync(file, 'utf8'));
const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
const loader = new BVHLoader();

function readAll() {
  let frames = 0;
  for (const text of texts) {
    const { clip } = loader.parse(text);
    frames += clip.tracks[0].times.length;
  }
  return frames;
}

let frames = readAll();
let best = Infinity;
for (let round = 0; round < Number(rounds); round += 1) {
  const start = performance.now();
  frames = readAll();
  best = Math.min(best, (performance.now() - start) / 1000);
}
console.log(JSON.stringify({ bytes, frames, secs: best }));
