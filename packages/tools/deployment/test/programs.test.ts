import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../src/repository.js';

/** Static and dynamic imports of a module; strings and comments do not match at the start of a line. */
const IMPORT = /^\s*(?:import|export)\s(?:[^'"\n]*\sfrom\s)?"([^"\n]+)";?$|\bimport\("([^"\n]+)"\)/gm;

const BUILT_IN = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));

function importsOf(text: string): readonly string[] {
  return [...text.matchAll(IMPORT)].map(([, first, second]) => first ?? second ?? '');
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
});
