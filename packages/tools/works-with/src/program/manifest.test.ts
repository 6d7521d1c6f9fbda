import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../root.js';
import { readManifest } from './manifest.js';
import { choosePrograms, programsIn } from './programs.js';

const GOOD = {
  title: 'Authlib',
  language: 'Python',
  registry: 'PyPI',
  stack: { OPEN_REGISTRATION_EXCESS: 'omit' },
  settings: '',
  needs: ['python3', 'debian:libapache2-mod-auth-openidc'],
  prepare: ['python3 -m venv .venv'],
  run: '.venv/bin/python main.py',
  ci: false,
};

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-manifest-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'program.json');
  writeFileSync(file, text);
  return file;
}

describe('program.json', () => {
  it('is read', () => {
    const manifest = { ...GOOD, shared: ['report.mjs', 'Report.java'] };
    expect(readManifest(fileWith(JSON.stringify(manifest)))).toEqual(manifest);
  });

  it.each([
    ['a member that is missing', { ...GOOD, run: undefined }, /program\.json: the manifest must have .*run/],
    ['a member of another type', { ...GOOD, ci: 'yes' }, /program\.json: \/ci must be boolean\./],
    ['a member that is not known', { ...GOOD, skip: true }, /program\.json: \/skip is not known\./],
    [
      'a need with the signs of a shell',
      { ...GOOD, needs: ['x; y'] },
      /program\.json: \/needs\/0 must match pattern/,
    ],
    [
      'a shared file of another folder',
      { ...GOOD, shared: ['../x/Main.java'] },
      /program\.json: \/shared\/0 must match pattern/,
    ],
  ])('is refused with %s', (_what, manifest, sentence) => {
    expect(() => readManifest(fileWith(JSON.stringify(manifest)))).toThrow(sentence);
  });

  it('is refused when it is not JSON', () => {
    expect(() => readManifest(fileWith('{'))).toThrow(/program\.json cannot be read as JSON/);
  });
});

describe('the programs', () => {
  const all = programsIn(join(ROOT, 'packages', 'tools', 'works-with', 'programs'));

  it('are those of the folder, or the named ones', () => {
    const [first] = all;
    expect(choosePrograms(all, [])).toBe(all);
    expect(choosePrograms(all, [first?.name ?? ''])).toEqual([first]);
    expect(() => choosePrograms(all, ['nothing'])).toThrow(/^There is no program nothing\. There are: .+/);
  });
});
