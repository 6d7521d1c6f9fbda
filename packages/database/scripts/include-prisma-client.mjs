// Puts the parts of Prisma Client that the build uses into dist/prisma-client/ and makes the build import them there. The
// package @prisma/client has 71 MB, most of it for other databases; the parts have 3 MB.
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';

const DIST = join(process.cwd(), 'dist');
const INCLUDED = join(DIST, 'prisma-client');

/** For browsers; nothing imports them. */
const UNUSED = /\/generated\/(?:internal\/)?(?:browser|prismaNamespaceBrowser)\.(?:js|js\.map|d\.ts)$/;

/** The file of each imported module. In Node.js, the package gives its CommonJS form, also to `import`. */
const FILES = {
  client: { from: 'client.js', to: 'client.cjs' },
  'query_compiler_small_bg.postgresql.mjs': {},
  'query_compiler_small_bg.postgresql.wasm-base64.mjs': {},
};

const manifest = createRequire(import.meta.url).resolve('@prisma/client/package.json');
const installed = dirname(manifest);

await rm(INCLUDED, { recursive: true, force: true });
await mkdir(INCLUDED);
await copyFile(join(installed, 'LICENSE'), join(INCLUDED, 'LICENSE'));
await copyFile(join(installed, 'runtime', 'client.d.ts'), join(INCLUDED, 'client.d.cts'));
for (const [module, { from = module, to = module }] of Object.entries(FILES))
  await copyFile(join(installed, 'runtime', from), join(INCLUDED, to));

const IMPORTED = /(?<=["'])@prisma\/client\/runtime\/([\w.-]+)(?=["'])/g;

for (const entry of await readdir(DIST, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (UNUSED.test(file)) await rm(file);
  else if (/\.(?:js|d\.ts)$/.test(file)) await rewrite(file);
}

async function rewrite(file) {
  const text = await readFile(file, 'utf8');
  const included = text.replace(IMPORTED, (_whole, module) => {
    const known = FILES[module];
    if (known === undefined) throw new Error(`${file} imports ${module}, which is not included`);
    const path = relative(dirname(file), join(INCLUDED, known.to ?? module));
    return path.startsWith('.') ? path : `./${path}`;
  });
  if (included !== text) await writeFile(file, included);
}
