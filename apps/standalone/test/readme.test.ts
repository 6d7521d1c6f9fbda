import { readFile } from 'node:fs/promises';
import { settingsReference } from '@vestibule/service/settings';
import { readmeTable, tableRows } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { StandaloneSettings } from '../src/config.js';
import { LOCAL_DEFAULTS } from '../src/local-environment.js';

const README = new URL('../README.md', import.meta.url);

it('documents every setting and every local default as they are', async () => {
  const text = await readFile(README, 'utf8');
  expect(readmeTable(text, 'settings')).toEqual(tableRows(settingsReference(StandaloneSettings)));
  expect(readmeTable(text, 'defaults')).toEqual(tableRows(defaultsReference()));
});

function defaultsReference(): string {
  const rows = Object.entries(LOCAL_DEFAULTS).map(([name, value]) => `| \`${name}\` | \`${value}\` |`);
  return ['| variable | here |', '|---|---|', ...rows, ''].join('\n');
}
