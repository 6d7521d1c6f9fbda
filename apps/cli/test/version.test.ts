import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { vestibuleProcess } from './support/vestibule.js';

it('prints its version', async () => {
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  expect(await vestibuleProcess(['--version'], { environment: {} })).toEqual({
    code: 0,
    stdout: `vestibule ${manifest.version}\n`,
    stderr: '',
  });
});
