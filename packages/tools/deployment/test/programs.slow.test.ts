import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../src/repository.js';

/** Static and dynamic imports of a module; strings and comments do not match at the start of a line. */
const IMPORT = /^\s*(?:import|export)\s(?:[^'"\n]*\sfrom\s)?"([^"\n]+)";?$|\bimport\("([^"\n]+)"\)/gm;

const BUILT_IN = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));

function importsOf(text: string): readonly string[] {
  return [...text.matchAll(IMPORT)].map(([, first, second]) => first ?? second ?? '');
}

/** Packages that take long to load. The first outbound request loads undici, and nothing loads the others. */
const SLOW_PACKAGES = ['undici', 'ajv', 'fast-json-stringify-compiler', 'light-my-request'];

/** The files that a start loads: the program, what it imports, and the parts that every service loads with valid settings. */
function loadedAtStart(folder: string, entry: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const load = (path: string) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    const imports = readFileSync(path, 'utf8').matchAll(/^import\s(?:[^'"\n]*\sfrom\s)?"(\.[^"\n]+)";$/gm);
    for (const [, imported = ''] of imports) load(join(dirname(path), imported));
  };
  load(join(folder, entry));
  for (const name of ['build.js', 'start-process.js']) {
    const path = join(folder, 'chunks', name);
    if (existsSync(path)) load(path);
  }
  return loaded;
}

describe.each(readdirSync(join(ROOT, 'apps')))('the program of %s as built', (application) => {
  const folder = join(ROOT, 'apps', application, 'dist');
  const chunks = readdirSync(join(folder, 'chunks')).filter((name) => name.endsWith('.js'));
  const entry = application === 'cli' ? 'vestibule.js' : 'server.js';

  it('is loaded from its own files only', () => {
    const files = [entry, ...chunks.map((name) => join('chunks', name))];
    const imported = files.flatMap((file) => importsOf(readFileSync(join(folder, file), 'utf8')));
    expect(imported.filter((name) => name.startsWith('./chunks/')).length).toBeGreaterThan(0);
    expect(imported.filter((name) => !name.startsWith('.') && !BUILT_IN.has(name))).toEqual([]);
  });

  it('loads no package at its start that takes long to load and is not needed then', () => {
    const texts = [...loadedAtStart(folder, entry)].map((path) => readFileSync(path, 'utf8'));
    // The bundler writes the path of each module above it.
    const packages = texts.flatMap((text) =>
      [...text.matchAll(/^\/\/ .*\/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm)].map(([, name = '']) => name),
    );
    if (entry === 'server.js') expect(packages).toContain('fastify');
    expect(packages.filter((name) => SLOW_PACKAGES.includes(name.replace('@fastify/', '')))).toEqual([]);
  });
});
