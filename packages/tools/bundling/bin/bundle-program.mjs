#!/usr/bin/env node
// Makes of dist/main.js, as the compiler wrote it, the program dist/NAME.js with all that it imports in dist/chunks/:
// bundle-program NAME. Loading a thousand modules one by one takes time and memory that a few files do not. Whatever a
// package reads from its own folder is looked for in the installed package.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { rolldown } from 'rolldown';

const [name] = process.argv.slice(2);
if (name === undefined) throw new TypeError('bundle-program takes the name of the program');

const folder = join(process.cwd(), 'dist');
const chunks = 'chunks';
// Removes an earlier build.
await rm(join(folder, chunks), { recursive: true, force: true });

const bundle = await rolldown({
  input: { [name]: join(folder, 'main.js') },
  platform: 'node',
  external: [
    // The driver requires it where it is installed, which it is not.
    'pg-native',
    // Fastify requires its own compilers only where it is given none, and the last one for simulated requests.
    '@fastify/ajv-compiler',
    '@fastify/fast-json-stringify-compiler',
    'light-my-request',
  ],
  // The bundle must behave like the tested code: calls with an unused result may exist for what they throw, such as
  // decodeURIComponent(text), and would be removed.
  treeshake: false,
  // A dependency of Koa contains one. Names around it stay: CommonJS is wrapped as a whole, and nothing is minified.
  checks: { eval: false },
  onLog: (level, log) => {
    if (level === 'warn') throw new Error(log.message);
  },
});
await bundle.write({
  dir: folder,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: `${chunks}/[name].js`,
  sourcemap: true,
  // By default dead code would be removed here again, by the same rules.
  minify: false,
  // Errors of libraries are identified by their class names.
  keepNames: true,
});
await bundle.close();
