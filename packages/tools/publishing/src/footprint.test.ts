import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentedSizes, FOOTPRINT_PAGE, footprintTable, librariesOf, tableOf } from './footprint.js';
import { ROOT } from './root.js';
import { publishedPackages } from './workspace-packages.js';

const PUBLISHED = publishedPackages();
const DOMAIN = PUBLISHED.filter(({ folder }) => {
  const { tags } = JSON.parse(readFileSync(join(ROOT, folder, 'turbo.json'), 'utf8'));
  return tags.includes('domain') || tags.includes('vocabulary');
});

describe('an installation of a published package', () => {
  it('is described for the domain packages', () => {
    expect(DOMAIN.map(({ manifest }) => manifest.name.replace('@vestibule/', ''))).toEqual([
      'client-auth',
      'clients',
      'crypto',
      'federation',
      'logout',
      'metadata',
      'protocol',
      'scopes',
      'tokens',
    ]);
  });

  it.each(DOMAIN.map((each) => [each.manifest.name, each] as const))(
    'brings along no store, no framework and no HTTP client: %s',
    (_name, each) => {
      expect(librariesOf(each)).toEqual([]);
    },
  );

  it('brings along the libraries of an adapter', () => {
    const database = PUBLISHED.find(({ folder }) => folder === 'packages/database');
    expect(database === undefined ? [] : librariesOf(database)).toEqual(['pg', 'Prisma']);
  });

  it('has the packages and libraries that the guide states', () => {
    const page = readFileSync(join(ROOT, FOOTPRINT_PAGE), 'utf8');
    expect(tableOf(page)).toBe(footprintTable(documentedSizes(page)));
  });
});
