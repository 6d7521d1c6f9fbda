import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DOCKER_FOLDER, ROOT } from '../src/repository.js';

const read = (name: string) => readFileSync(join(DOCKER_FOLDER, name), 'utf8');

/** The instructions of the Dockerfile, one per line, by stage. */
const stages = read('Dockerfile')
  .replaceAll(/^\s*(?:#.*)?\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split(/^(?=FROM )/m)
  .map((text) => {
    const [first = '', ...instructions] = text.trim().split('\n');
    const [, from = '', name = ''] = /^FROM (\S+) AS (\S+)$/.exec(first) ?? [];
    return { name, from, instructions };
  });
const stage = (name: string) => stages.find((each) => each.name === name);
const texts = (name: string, instruction: string) =>
  (stage(name)?.instructions ?? []).flatMap((line) =>
    line.startsWith(`${instruction} `) ? [line.slice(instruction.length + 1)] : [],
  );
const images = [...new Set(stages.map(({ from }) => from).filter((from) => stage(from) === undefined))];

describe('the Dockerfile', () => {
  it('uses the versions of the repository', () => {
    const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const { catalog } = parse(readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8'));
    const commands = stages.flatMap(({ name }) => texts(name, 'RUN')).join('\n');
    const used = new Set(commands.match(/\b(?:pnpm|turbo)@[\d.]+/g));
    expect(used).toEqual(new Set([packageManager, `turbo@${catalog.turbo}`]));
  });

  it('starts from images with a version tag, and ends in a runtime image without build steps', () => {
    for (const image of images) expect(image).toMatch(/^\w+:\d+[\w.-]*$/);
    expect(read('Dockerfile')).not.toMatch(/^# *(?:syntax|check|escape) *=/m);
    expect(stages.at(-1)).toMatchObject({ name: 'service', from: 'runtime' });
    expect(texts('runtime', 'RUN')).toEqual([]);
    expect(texts('runtime', 'COPY')).toHaveLength(2);
  });

  it('takes only the name of the application as a build argument: no token reaches a build step', () => {
    const all = (instruction: string) => stages.flatMap(({ name }) => texts(name, instruction));
    expect(new Set(all('ARG'))).toEqual(new Set(['APP']));
    const variables = all('ENV').flatMap((text) => [...text.matchAll(/(\w+)=/g)].map(([, name]) => name));
    const known = [
      'MANAGEMENT_HOST',
      'NODE_ENV',
      'NPM_CONFIG_UPDATE_NOTIFIER',
      'PORT',
      'TURBO_TELEMETRY_DISABLED',
    ];
    expect([...new Set(variables)].sort()).toEqual(known);
    expect(all('RUN').join('\n')).not.toMatch(/--mount|token|secret|password/i);
    expect(all('ADD')).toEqual([]);
  });

  it('opens the management port of a service to other containers, which the program alone would not', () => {
    expect(texts('service', 'ENV').join(' ')).toMatch(/\bMANAGEMENT_HOST=0\.0\.0\.0\b/);
  });

  it('gives pushed images base images by digest, and refuses to build them without one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'base-images-'));
    try {
      for (const file of ['Dockerfile', 'base-images.mjs'])
        copyFileSync(join(DOCKER_FOLDER, file), join(folder, file));
      const contexts = () =>
        spawnSync('node', [join(folder, 'base-images.mjs'), 'contexts'], { encoding: 'utf8' });

      expect(contexts()).toMatchObject({ status: 1, stdout: '' });
      expect(contexts().stderr).toContain(`no digest for ${images[0]}`);

      const digest = `sha256:${'a'.repeat(64)}`;
      writeFileSync(join(folder, 'base-images.lock'), images.map((image) => `${image}@${digest}\n`).join(''));
      const expected = images.map((image) => `${image}=docker-image://${image}@${digest}\n`).join('');
      expect(contexts()).toMatchObject({ status: 0, stdout: expected });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('bundles the program of the application', () => {
    expect(texts('build', 'RUN').join('\n')).toContain('turbo run bundle --filter="./apps/$APP"');
  });

  it('runs as an unprivileged user, and checks health at the management port', () => {
    expect(texts('runtime', 'USER')).toEqual(['10001:10001']);
    const check = texts('service', 'HEALTHCHECK')[0];
    expect(check).toContain('/health/ready');
    // Under load, starting a Node process for each check takes longer than the check may.
    expect(check).not.toMatch(/"node"/);
    expect([texts('service', 'ENTRYPOINT'), texts('service', 'CMD')]).toEqual([
      [],
      ['["node", "dist/server.js"]'],
    ]);
    expect(texts('cli', 'ENTRYPOINT')).toEqual(['["node", "dist/vestibule.js"]']);
  });

  it('copies only committed sources into a build: the context excludes every other file', () => {
    const rules = read('Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    // The last matching rule decides.
    const taken = rules.findLastIndex((rule) => rule.startsWith('!'));
    expect(rules[0]).toBe('*');
    expect(rules.slice(1, taken + 1)).toEqual([
      '!.pnpmfile.cjs',
      '!LICENSE',
      '!package.json',
      '!pnpm-lock.yaml',
      '!pnpm-workspace.yaml',
      '!tsconfig.base.json',
      '!turbo.json',
      '!apps',
      '!packages',
    ]);
    expect(rules.slice(taken + 1)).toEqual(
      expect.arrayContaining(
        ['node_modules', 'dist', 'generated', '.vestibule', 'test', '*.test.ts'].map((name) => `**/${name}`),
      ),
    );
  });
});
