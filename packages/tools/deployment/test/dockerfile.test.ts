import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DeploymentError } from '../src/deployment-error.js';
import { ignoredBy } from '../src/dockerfile/ignored.js';
import { readDockerfile, startWords } from '../src/dockerfile/read-dockerfile.js';
import { DOCKER_FOLDER, ROOT } from '../src/repository.js';

const stages = readDockerfile(readFileSync(join(DOCKER_FOLDER, 'Dockerfile'), 'utf8'));
const stage = (name: string) => stages.find((each) => each.name === name);
const texts = (name: string, instruction: string) =>
  (stage(name)?.instructions ?? []).filter((each) => each.name === instruction).map(({ text }) => text);

describe('the Dockerfile', () => {
  it('uses the versions of the repository', () => {
    const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const { catalog } = parse(readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8'));
    const commands = stages.flatMap(({ name }) => texts(name, 'RUN')).join('\n');
    const used = new Set(commands.match(/\b(?:pnpm|turbo)@[\d.]+/g));
    expect(used).toEqual(new Set([packageManager, `turbo@${catalog.turbo}`]));
  });

  it('starts from images that name a version, and ends in one without them', () => {
    const images = stages.map(({ from }) => from).filter((from) => stage(from) === undefined);
    for (const image of images) expect(image).toMatch(/^\w+:\d+[\w.-]*$/);
    expect(stages.at(-1)).toMatchObject({ name: 'service', from: 'runtime' });
    expect(texts('runtime', 'RUN')).toEqual([]);
    expect(texts('runtime', 'COPY')).toHaveLength(2);
  });

  it('opens the management port of a service to other containers, which the program alone would not', () => {
    expect(texts('service', 'ENV').join(' ')).toMatch(/\bMANAGEMENT_HOST=0\.0\.0\.0\b/);
  });

  it('gives images that are pushed base images by digest, and refuses without one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'base-images-'));
    try {
      for (const file of ['Dockerfile', 'base-images.mjs'])
        copyFileSync(join(DOCKER_FOLDER, file), join(folder, file));
      const contexts = () =>
        spawnSync('node', [join(folder, 'base-images.mjs'), 'contexts'], { encoding: 'utf8' });
      const images = [...new Set(stages.map(({ from }) => from).filter((from) => stage(from) === undefined))];

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

  it('runs as a user without rights, and asks the management port about its health', () => {
    expect(texts('runtime', 'USER')).toEqual(['10001:10001']);
    const check = texts('service', 'HEALTHCHECK')[0];
    expect(check).toContain('/health/ready');
    // Under load a Node process for each check takes longer than the check may.
    expect(check).not.toMatch(/"node"/);
    expect(startWords(stages, 'service')).toEqual({ entrypoint: [], command: ['node', 'dist/server.js'] });
  });

  it('is one that the reader refuses to guess about', () => {
    for (const text of ['FROM a', 'RUN x', 'FROM a AS b\nADD x y', 'FROM --platform=x a AS b'])
      expect(() => readDockerfile(text)).toThrow(DeploymentError);
  });
});

describe('what a build leaves out', () => {
  const isIgnored = ignoredBy(readFileSync(join(DOCKER_FOLDER, 'Dockerfile.dockerignore'), 'utf8'));

  it('is everything that is made, secret or a test', () => {
    for (const path of [
      '.git/HEAD',
      '.vestibule/master-token',
      'node_modules/x',
      'packages/crypto/dist/index.js',
      'packages/crypto/node_modules/jose',
      'packages/database/src/generated/client.ts',
      'packages/crypto/src/jwt.test.ts',
      'apps/logout/test/readme.test.ts',
      'apps/standalone/.vestibule/master-token',
      'docker/compose.yaml',
    ])
      expect([path, isIgnored(path)]).toEqual([path, true]);
  });

  it('is nothing that a build reads', () => {
    for (const path of [
      'package.json',
      'pnpm-lock.yaml',
      'packages/crypto/src/jwt.ts',
      'packages/database/prisma/schema.prisma',
      'turbo.json',
    ])
      expect([path, isIgnored(path)]).toEqual([path, false]);
  });
});
