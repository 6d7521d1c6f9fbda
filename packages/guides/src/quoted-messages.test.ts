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

describe('the page on joining a node-oidc-provider application', () => {
  const joining = PAGES.find(({ path }) => path === 'packages/guides/join-node-oidc-provider.md')?.text ?? '';
  const table = joining.slice(joining.indexOf('\n## Messages\n'));
  const parts = [...table.matchAll(/^\| (`.*?`) \| /gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text),
  );

  it('quotes messages', () => {
    expect(parts.length).toBeGreaterThan(15);
  });

  it.each(parts)('quotes a part of a message of the code: %s', (part) => {
    const [first = '', ...others] = part.split('…').map((text) => text.trim());
    const contains = (message: string) => {
      let from = message.indexOf(first);
      for (const other of others) from = from < 0 ? from : message.indexOf(other, from);
      return from >= 0;
    };
    expect([...STRINGS].filter(contains)).not.toEqual([]);
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
