import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readManifest } from '../src/program/manifest.js';
import { ROOT } from '../src/root.js';

const HERE = join(ROOT, 'packages', 'tools', 'works-with');
const SERVICES = ['introspection', 'logout', 'authorization'];
const BLOCK = /^```\w+ (?<name>\S+)\n(?<text>[\s\S]*?)^```$/gm;

describe.each([
  ['join-keycloak.md', 'keycloak'],
  ['join-ory-hydra.md', 'ory-hydra'],
])('%s', (page, program) => {
  const text = readFileSync(join(ROOT, 'packages', 'guides', page), 'utf8');
  const folder = join(HERE, 'programs', program);
  const blocks = [...text.matchAll(BLOCK)].map(
    ({ groups = {} }) => [groups['name'] ?? '', groups['text'] ?? ''] as const,
  );
  const settings = [...(new Map(blocks).get('services.env') ?? '').matchAll(/^([A-Z_]+)=(.*)$/gm)];

  it('shows the files with which the program was tried', () => {
    const shown = blocks.filter(([name]) => name !== 'services.env');
    expect(shown.length).toBeGreaterThan(4);
    for (const [name, content] of shown) {
      expect(existsSync(join(folder, name)), name).toBe(true);
      expect(content, name).toBe(readFileSync(join(folder, name), 'utf8'));
    }
  });

  it('names settings that every service has, with the values of the trial', () => {
    const { stack } = readManifest(join(folder, 'program.json'));
    const ports: Readonly<Record<string, string>> = { gateway: '3000', keycloak: '8180', public: '4444' };
    for (const [, name = '', value] of settings) {
      const readmes = SERVICES.map((service) =>
        readFileSync(join(ROOT, 'apps', service, 'README.md'), 'utf8'),
      );
      const having = readmes.filter((readme) => readme.includes(`| \`${name}\` |`));
      expect(having.length, name).toBeGreaterThanOrEqual(name === 'OPENID_PROVIDER_ENABLED' ? 1 : 3);
      const tried = stack[name]?.replace(/\{(\w+)\}/g, (_whole, port: string) => ports[port] ?? port);
      expect(tried, name).toBe(value);
    }
    expect(settings).toHaveLength(3);
  });
});
