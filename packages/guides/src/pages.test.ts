import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchors, type Page, pages, prose, ROOT, sources } from './pages.js';

const PAGES = pages();
const each = PAGES.map((page) => [page.path, page] as const);
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Commands that are built into pnpm. */
const BUILT_IN = ['add', 'install', 'exec', 'dlx', 'licenses', 'pack'];

/** The reason why a link is broken; undefined if it leads somewhere, or out of the repository. */
function whyBroken(page: Page, target: string): string[] {
  if (/^[a-z]+:/.test(target)) return [];
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? join(ROOT, page.path) : join(ROOT, dirname(page.path), path);
  if (!existsSync(file)) return [`${target}: there is no such file`];
  if (anchor === undefined || statSync(file).isDirectory()) return [];
  return anchors(readFileSync(file, 'utf8')).includes(anchor) ? [] : [`${target}: there is no such heading`];
}

describe('the pages of the repository', () => {
  it.each(each)('%s has no broken links', (_path, page) => {
    const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)];
    expect(links.flatMap(([, link, source]) => whyBroken(page, link ?? source ?? ''))).toEqual([]);
  });

  it.each(each)('%s names only pnpm commands that exist', (_path, { text }) => {
    const commands = [...text.matchAll(/npx -y pnpm (--filter|[a-z][a-z:-]*)/g)].map(
      ([, command = '']) => command,
    );
    const known = [...Object.keys(scripts), ...BUILT_IN, '--filter'];
    expect(commands.filter((command) => !known.includes(command))).toEqual([]);
  });

  it('have one folder of guides, whose index names each of them', () => {
    const guides = PAGES.filter(({ path }) => /^packages\/guides\/(?!README)/.test(path));
    const index = PAGES.find(({ path }) => path === 'packages/guides/README.md')?.text;
    expect(
      guides.map(({ path }) => path.split('/').at(-1)).filter((name) => !index?.includes(`(${name})`)),
    ).toEqual([]);
    expect(guides).toHaveLength(17);
  });
});

describe('the API references', () => {
  const citations = sources().flatMap(({ path, text }) =>
    [...text.matchAll(/\b([a-z-]+\/API\.md)#([a-z-]+)/g)].map(([, page = '', section = '']) => ({
      path,
      page: `apps/${page}`,
      section,
    })),
  );

  it('are cited', () => {
    expect(citations.length).toBeGreaterThan(50);
  });

  it('have every section that code and tests cite', () => {
    const sections = new Map(PAGES.map(({ path, text }) => [path, anchors(text)]));
    expect(citations.filter(({ page, section }) => !sections.get(page)?.includes(section))).toEqual([]);
  });
});

describe('the guides', () => {
  const tables = PAGES.filter(({ path }) => /^apps\/[a-z]+\/README\.md$/.test(path)).map(({ text }) => text);
  const isListed = (name: string) => tables.some((text) => text.includes(`\n| \`${name}\` `));
  const named = PAGES.filter(({ path }) => path.startsWith('packages/guides/')).flatMap(({ path, text }) =>
    [...text.matchAll(/`([A-Z]+(?:_[A-Z\d]+)+|[a-z_]+_(?:total|seconds|open))`/g)].map(([, name = '']) => [
      path,
      name,
    ]),
  );

  it.each(named)('%s names %s as a service has it', (_path, name = '') => {
    expect(isListed(name.replace(/_FILE$/, ''))).toBe(true);
  });
});

describe('the figures that guides repeat', () => {
  const repeated = PAGES.flatMap(({ path, text }) =>
    [...text.matchAll(/<!-- figures: (\S+) -->([\s\S]*?)<!-- \/figures -->/g)].flatMap(
      ([, source = '', table = '']) => {
        const rows = table.split('\n').filter((line) => line.includes('`'));
        return rows.map((row) => {
          const [, what = '', measured = '', workload = ''] = row.split('|').map((cell) => cell.trim());
          return { path, source: join(dirname(path), source), what, measured, workload };
        });
      },
    ),
  );

  it('exist', () => {
    expect(repeated.length).toBeGreaterThan(10);
  });

  it.each(repeated)('$what: $measured, as $workload reports', ({ source, measured, workload }) => {
    const rows = PAGES.find(({ path }) => path === source)?.text.split('\n') ?? [];
    const figure = measured.replace(' req/s', '');
    expect(rows.some((row) => row.startsWith(`| ${workload} |`) && row.includes(` ${figure} `))).toBe(true);
  });
});
