import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { namedRepository } from './named-repository.js';
import { ROOT } from './root.js';
import { entryPoints, publishedPackages, workspacePackages } from './workspace-packages.js';

const PUBLISHED = publishedPackages();
const NAMES = PUBLISHED.map(({ manifest }) => manifest.name);
const PRIVATE = workspacePackages().filter(({ manifest }) => manifest.private === true);
const each = PUBLISHED.map(({ folder, manifest }) => [manifest.name, manifest, folder] as const);

describe('the manifests of published packages', () => {
  it('are those of the core; apps, tests, benchmarks and tools stay private', () => {
    expect(NAMES).toEqual(
      [
        'cache',
        'client-auth',
        'clients',
        'crypto',
        'database',
        'egress',
        'federation',
        'http',
        'logout',
        'metadata',
        'oidc-provider-adapter',
        'protocol',
        'resource-server',
        'scopes',
        'service',
        'tokens',
      ].map((name) => `@vestibule/${name}`),
    );
  });

  it.each(each)('%s: describe the package and its license', (_name, manifest) => {
    expect(manifest.description).toMatch(/\.$/);
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      type: 'module',
      sideEffects: false,
      engines: { node: '>=20.19' },
      publishConfig: { access: 'public' },
    });
  });

  it.each(each)('%s: export the build only, and nothing for tests', (_name, manifest) => {
    const { './testing': _tests, ...exported } = manifest.exports ?? {};
    const withoutSources = Object.entries(exported).map(([path, target]) => {
      if (typeof target === 'string') return [path, target];
      const { source: _source, ...conditions } = target;
      return [path, conditions];
    });
    expect(manifest.publishConfig?.exports).toEqual(Object.fromEntries(withoutSources));
    expect(manifest.files).toEqual(expect.arrayContaining(['dist', 'src', '!src/**/*.test.ts']));
  });

  it.each(each)('%s: come with a README that lists what can be imported', (_name, manifest, folder) => {
    const points = entryPoints([{ folder, manifest }]);
    const readme = readFileSync(join(ROOT, folder, 'README.md'), 'utf8');
    const [, table = ''] = /^## Entry points\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(readme) ?? [];
    const listed = [...table.matchAll(/`((?:@vestibule|…)\/[\w/-]+)`/g)].map(([, point = '']) =>
      point.replace('…', manifest.name),
    );
    expect(listed.sort()).toEqual(points.length > 1 ? [...points].sort() : []);
  });

  it.each(each)('%s: have fewer than 40 exports in each entry point', (_name, { exports = {} }, folder) => {
    for (const target of Object.values(exports)) {
      if (typeof target === 'string') continue;
      const { source = expect.fail('no source') } = target;
      const names = exportedNames(readFileSync(join(ROOT, folder, source), 'utf8'));
      expect(names.length, source).toBeGreaterThan(0);
      expect(names.length, source).toBeLessThan(40);
    }
  });

  it.each(each)('%s: depend on published packages only', (_name, { dependencies = {} }) => {
    const unpublished = PRIVATE.map(({ manifest }) => manifest.name);
    expect(Object.keys(dependencies).filter((dependency) => unpublished.includes(dependency))).toEqual([]);
  });

  it('name their folder in the repository once a release sets its address, and change nothing else', () => {
    const manifest = '{"name":"@vestibule/x","exports":{}}';
    expect(JSON.parse(namedRepository(manifest, 'https://git.example/o/r', 'packages/x'))).toEqual({
      name: '@vestibule/x',
      exports: {},
      repository: { type: 'git', url: 'git+https://git.example/o/r.git', directory: 'packages/x' },
    });
  });

  it('are released together under one version', () => {
    const config = JSON.parse(readFileSync(join(ROOT, '.changeset', 'config.json'), 'utf8'));
    expect(config.fixed).toEqual([NAMES]);
    expect(config.privatePackages).toEqual({ version: false, tag: false });
    expect(new Set(PUBLISHED.map(({ manifest }) => manifest.version)).size).toBe(1);
  });
});

/** The names that a module exports. */
function exportedNames(module: string): readonly string[] {
  expect(module).not.toMatch(/^export \*/m);
  const lists = [...module.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.trim()),
  );
  const declared = [...module.matchAll(/^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm)];
  return [...lists.filter((name) => name !== ''), ...declared.map(([, name = '']) => name)];
}
