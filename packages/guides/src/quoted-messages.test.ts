import { describe, expect, it } from 'vitest';
import { pages, sources } from './pages.js';

const PAGES = pages();
const PAGE = PAGES.find(({ path }) => path === 'packages/guides/troubleshooting.md')?.text ?? '';

/** Comments, and the strings that are not in comments. */
const TOKEN = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

/** The strings in the code of the product, with `…` for each value that is filled in. */
const STRINGS = new Set(
  sources()
    .filter(({ path }) => !/\.test\.ts$|\/testing\/|\/test\/|^packages\/tools\//.test(path))
    .flatMap(({ text }) => text.match(TOKEN) ?? [])
    .filter((token) => !token.startsWith('/'))
    .map((token) => token.slice(1, -1).replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…')),
);

/** The code spans in the first column of the tables of a kind. */
function quoted(kind: string): readonly string[] {
  const tables = [...PAGE.matchAll(new RegExp(`^\\| ${kind} \\|.*\\n\\|[-|]+\\|\\n((?:\\|.*\\n)+)`, 'gm'))];
  const cells = tables.flatMap(([, rows = '']) => rows.trim().split('\n')).map((row) => row.split(' | ')[0]);
  return cells.flatMap((cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
}

const MESSAGES = [...quoted('message'), ...quoted('outcome')];

describe('the page on troubleshooting', () => {
  it('quotes messages', () => {
    expect(MESSAGES.length).toBeGreaterThan(80);
  });

  it.each(MESSAGES)('quotes a message of the code: %s', (message) => {
    expect(STRINGS).toContain(message);
  });
});

describe('the guides', () => {
  const commands = PAGES.find(({ path }) => path === 'apps/cli/README.md')?.text ?? '';
  const named = PAGES.filter(({ path }) => path.startsWith('packages/guides/')).flatMap(({ path, text }) =>
    [...text.matchAll(/`vestibule ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)].map(([, name = '']) => [path, name]),
  );

  it.each(named)('%s names the command %s, which exists', (_path, name) => {
    expect(commands).toMatch(new RegExp(`^\\| \`${name}(?: [a-z-]+)?\` `, 'm'));
  });
});
