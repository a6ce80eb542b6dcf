// An empty page in the browser that runs one module; every request is answered from the disk, and nothing goes out.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const HERE = "http://marey.test/";
const IMPORTS = {
  three: "/three/build/three.module.js",
  "three/addons/": "/three/examples/jsm/",
  "@pixiv/three-vrm": "/@pixiv/three-vrm/lib/three-vrm.module.js",
  "@pixiv/three-vrm-animation": "/@pixiv/three-vrm-animation/lib/three-vrm-animation.module.js",
};

const html = (module) => `<!doctype html><meta charset="utf-8"><style>body{margin:0}</style>
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>
<script type="module" src="/${module}"></script>`;

/** three-vrm says what it does not support of VRM 0, which says nothing about a file. */
const isAboutThreeVrm = (text) => /LookAtDegreeMap .* not supported/.test(text);

/** Opens the page; errors and warnings are added to `faults`. */
export const openPage = async (browser, module, faults) => {
  const page = await browser.newPage({ viewport: { width: 960, height: 540 } });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !isAboutThreeVrm(message.text()) && faults.push(message.text()));
  await page.route("**/*", async (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path === "/") return route.fulfill({ contentType: "text/html", body: html(module) });
    const file = /^\/(three|@pixiv)\//.test(path) ? `../node_modules${path}` : `.${path}`;
    try {
      const body = await readFile(fileURLToPath(new URL(file, import.meta.url)));
      return await route.fulfill({ contentType: "text/javascript", body });
    } catch {
      return route.fulfill({ status: 404 });
    }
  });
  await page.goto(HERE);
  await page.waitForFunction("globalThis.ready");
  // The renderer reports software drawing, which has nothing to do with files.
  faults.length = 0;
  return page;
};
