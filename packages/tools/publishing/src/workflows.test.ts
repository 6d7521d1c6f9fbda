import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './root.js';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix?: Readonly<Record<string, readonly unknown[]>> };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = join(ROOT, '.github');
const textOf = (path: string) => readFileSync(join(FOLDER, path), 'utf8');
const WORKFLOWS = readdirSync(join(FOLDER, 'workflows')).map((name) => {
  const text = textOf(`workflows/${name}`);
  const workflow: Workflow = parse(text);
  return { name, text, workflow, jobs: Object.values(workflow.jobs) };
});
const { scripts, packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Commands of pnpm itself. */
const BUILT_IN = ['exec', 'install'];

/** How long a program of works-with may run if it does not say so. */
const WORKS_WITH_MINUTES = 3;

/** A condition that excludes pull requests. */
const NOT_FOR_PULL_REQUESTS = /^github\.event_name != 'pull_request'(?: && [^|]+)?$/;

/** The words after `pnpm` wherever a command can start. */
function pnpmCommands(jobs: readonly Job[]): string[] {
  const texts = jobs.flatMap(({ steps }) =>
    steps.flatMap((step) => [step.run ?? '', ...Object.values(step.with ?? {}).map(String)]),
  );
  return texts.flatMap((text) =>
    [...text.matchAll(/npx -y pnpm@\S+ (\S+)/g)].map(([, command]) => String(command)),
  );
}

describe.each(WORKFLOWS)('the workflow $name', ({ name, text, workflow, jobs }) => {
  it('gives no job a permission that it does not declare, and limits the duration of each', () => {
    expect(workflow.permissions).toEqual({});
    for (const job of jobs) {
      expect(Object.keys(job.permissions ?? {})).not.toHaveLength(0);
      expect(job['timeout-minutes']).toBeLessThanOrEqual(name === 'works-with.yml' ? 150 : 30);
    }
  });

  it('lets a pull request write nothing except code-scanning results', () => {
    const written = (job: Job) =>
      Object.entries(job.permissions ?? {}).flatMap(([name, level]) => (level === 'write' ? [name] : []));
    const pullRequestJobs = 'pull_request' in workflow.on ? jobs : [];
    for (const job of pullRequestJobs.filter((each) => !NOT_FOR_PULL_REQUESTS.test(each.if ?? '')))
      expect(written(job).filter((name) => name !== 'security-events')).toEqual([]);
  });

  it('pins foreign actions to a commit, with the version in a comment', () => {
    for (const [, reference] of text.matchAll(/uses: (.*)$/gm))
      expect(reference).toMatch(/^[\w-]+(?:\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('runs commands that exist', () => {
    for (const command of pnpmCommands(jobs))
      expect([...Object.keys(scripts), ...BUILT_IN]).toContain(command);
    for (const [, script = ''] of text.matchAll(/run: bash (\S+)/g))
      expect(existsSync(join(ROOT, script))).toBe(true);
  });

  it('runs programs from a registry only in a pinned version: the package manager of the repository', () => {
    const programs = [...text.matchAll(/npx (?:-\S+ )*(\S+)/g)].map(([, program]) => program);
    expect(programs.filter((program) => program !== packageManager)).toEqual([]);
  });

  it('runs no dependency in a job that can write to the repository, publish or sign', () => {
    const powerful = jobs.filter(({ permissions = {} }) =>
      ['contents', 'packages', 'pull-requests', 'id-token'].some((name) => permissions[name] === 'write'),
    );
    const runs = powerful.flatMap(({ steps }) => steps.map(({ run = '' }) => run));
    expect(runs.filter((run) => /\b(?:npx|pnpm|yarn|npm (?:ci|i|install|exec|run|x))\b/.test(run))).toEqual(
      [],
    );
  });

  it('names no host: settings of the repository define where packages and images go', () => {
    expect(text).not.toMatch(/\b[\w-]+\.(?:com|dev|io|net|org)\b/);
  });

  it('puts no untrusted text into a shell', () => {
    for (const { run = '' } of jobs.flatMap(({ steps }) => steps))
      expect(run).not.toMatch(/\$\{\{ *github\.(?:event|head_ref)/);
  });
});

describe('the workflows', () => {
  it("test every Node version from the packages' minimum up", () => {
    const ci = WORKFLOWS.find(({ name }) => name === 'ci.yml')?.workflow;
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const versions = ci?.jobs['check']?.strategy?.matrix?.['node'];
    expect(versions).toEqual(['20.19', '22', '24']);
    expect(ci?.jobs['packages']?.strategy?.matrix?.['node']).toEqual(versions);
    expect(engines.node).toBe(`>=${versions?.[0]}`);
  });

  it("build an image of every application but the one for a machine of one's own, with what it was made of", () => {
    const image = WORKFLOWS.find(({ name }) => name === 'images.yml')?.workflow.jobs['image'];
    const apps = readdirSync(join(ROOT, 'apps')).filter((name) => name !== 'standalone');
    expect(image?.strategy?.matrix?.['app']?.toSorted()).toEqual(apps.sort());
    const build = image?.steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'));
    expect(build?.with).toMatchObject({
      provenance: 'mode=max',
      sbom: true,
      'build-contexts': `\${{ steps.base.outputs.contexts }}`,
    });
    expect(image?.steps.at(-1)?.uses).toMatch(/^actions\/attest-build-provenance@/);
  });

  it('pass the tarballs of a release to a job whose only permission is to publish', () => {
    const release = WORKFLOWS.find(({ name }) => name === 'release.yml');
    const jobs = release?.workflow.jobs;
    expect(jobs?.['build']?.permissions).toEqual({ contents: 'read' });
    expect(jobs?.['publish']?.permissions).toEqual({ 'id-token': 'write' });
    const secrets = Object.entries(jobs ?? {}).filter(([, job]) => JSON.stringify(job).includes('secrets.'));
    expect(secrets.map(([name]) => name)).toEqual(['publish']);
    expect(JSON.stringify(jobs?.['publish'])).toMatch(
      /for tarball in \.\/release\/\*\.tgz;.*npm publish .{1,4}tarball.{1,4} --provenance/,
    );
  });

  it('tag the commit of a release once its packages are published', () => {
    const tag = WORKFLOWS.find(({ name }) => name === 'release.yml')?.workflow.jobs['tag'];
    expect(tag).toMatchObject({ needs: 'publish', permissions: { contents: 'write' } });
    expect(JSON.stringify(tag)).toMatch(/gh release view .* gh release create/);
  });

  it('record what a release needs of the database schema when they set its version', () => {
    const release = WORKFLOWS.find(({ name }) => name === 'release.yml');
    expect(pnpmCommands(release?.jobs ?? [])).toContain('packages:version');
    expect(scripts['packages:version']).toMatch(/^changeset version && .* @vestibule\/database record$/);
  });

  it('check the published packages and the images, and run the tour and published libraries, with every change', () => {
    const commands = pnpmCommands(WORKFLOWS.find(({ name }) => name === 'ci.yml')?.jobs ?? []);
    expect(commands).toEqual(expect.arrayContaining(['packages:check', 'images', 'tour', 'works-with']));
  });

  it('give the programs of works-with, one after the other, as long as they may take', () => {
    const programs = join(ROOT, 'packages', 'tools', 'works-with', 'programs');
    const manifests = readdirSync(programs).map((name) => join(programs, name, 'program.json'));
    const minutes = manifests
      .filter((path) => existsSync(path))
      .map((path) => JSON.parse(readFileSync(path, 'utf8')).minutes ?? WORKS_WITH_MINUTES);
    const all = WORKFLOWS.find(({ name }) => name === 'works-with.yml')?.workflow.jobs['all'];
    expect(all?.['timeout-minutes']).toBeGreaterThan(minutes.reduce((sum, each) => sum + each, 0));
  });

  it.each([
    'dependabot.yml',
    ...readdirSync(join(FOLDER, 'ISSUE_TEMPLATE')).map((name) => `ISSUE_TEMPLATE/${name}`),
  ])('accompany a parseable %s', (path) => {
    expect(parse(textOf(path))).toEqual(expect.any(Object));
  });
});
