import { readFile } from 'node:fs/promises';
import { settingsReference } from '@vestibule/service-kit';
import { expect, it } from 'vitest';
import { LOCAL_DEFAULTS, StandaloneSettings } from '../src/config.js';

const README = new URL('../README.md', import.meta.url);

it('documents every setting and every local default as they are', async () => {
  const text = await readFile(README, 'utf8');
  expect(cells(section(text, 'settings'))).toEqual(cells(settingsReference(StandaloneSettings)));
  expect(cells(section(text, 'defaults'))).toEqual(cells(defaultsReference()));
});

function section(text: string, name: string): string {
  return new RegExp(`<!-- ${name} -->([^]*)<!-- /${name} -->`).exec(text)?.[1] ?? '';
}

/** The cells of a table, without the padding that formatting adds. */
function cells(table: string): string[][] {
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('| -') && !line.startsWith('|-'));
  return rows.map((row) => row.split('|').map((cell) => cell.trim()));
}

function defaultsReference(): string {
  const rows = Object.entries(LOCAL_DEFAULTS).map(([name, value]) => `| \`${name}\` | \`${value}\` |`);
  return ['| variable | here |', '|---|---|', ...rows, ''].join('\n');
}
