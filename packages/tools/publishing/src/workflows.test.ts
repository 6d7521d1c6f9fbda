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

/** What comes with pnpm itself. */
const BUILT_IN = ['install'];

/** A condition that holds for no pull request. */
const NOT_FOR_PULL_REQUESTS = /^github\.event_name != 'pull_request'(?: && [^|]+)?$/;

/** The words after `pnpm` in every place where a command can stand. */
function pnpmCommands(jobs: readonly Job[]): string[] {
  const texts = jobs.flatMap(({ steps }) =>
    steps.flatMap((step) => [step.run ?? '', ...Object.values(step.with ?? {}).map(String)]),
  );
  return texts.flatMap((text) =>
    [...text.matchAll(/npx -y pnpm@\S+ (\S+)/g)].map(([, command]) => String(command)),
  );
}

describe.each(WORKFLOWS)('the workflow $name', ({ text, workflow, jobs }) => {
  it('gives no job a right that it does not ask for, and lets none run for hours', () => {
    expect(workflow.permissions).toEqual({});
    for (const job of jobs) {
      expect(Object.keys(job.permissions ?? {})).not.toHaveLength(0);
      expect(job['timeout-minutes']).toBeLessThanOrEqual(30);
    }
  });

  it('lets what a pull request brings write nothing but findings about the code', () => {
    const written = (job: Job) =>
      Object.entries(job.permissions ?? {}).flatMap(([name, level]) => (level === 'write' ? [name] : []));
    const asked = 'pull_request' in workflow.on ? jobs : [];
    for (const job of asked.filter((each) => !NOT_FOR_PULL_REQUESTS.test(each.if ?? '')))
      expect(written(job).filter((name) => name !== 'security-events')).toEqual([]);
  });

  it('runs foreign actions at one commit each, with the version beside it', () => {
    for (const [, reference] of text.matchAll(/uses: (.*)$/gm))
      expect(reference).toMatch(/^[\w-]+(?:\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('runs commands that exist', () => {
    for (const command of pnpmCommands(jobs))
      expect([...Object.keys(scripts), ...BUILT_IN]).toContain(command);
    for (const [, script = ''] of text.matchAll(/run: bash (\S+)/g))
      expect(existsSync(join(ROOT, script))).toBe(true);
  });

  it('runs no program from a registry but in a version that it names: the package manager of the repository', () => {
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

  it('names no host: where packages and images go is for the settings of the repository to say', () => {
    expect(text).not.toMatch(/\b[\w-]+\.(?:com|dev|io|net|org)\b/);
  });

  it('puts nothing that strangers write into a shell', () => {
    for (const { run = '' } of jobs.flatMap(({ steps }) => steps))
      expect(run).not.toMatch(/\$\{\{ *github\.(?:event|head_ref)/);
  });
});

describe('the workflows', () => {
  it('check every Node from the floor of the packages up', () => {
    const ci = WORKFLOWS.find(({ name }) => name === 'ci.yml')?.workflow;
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const versions = ci?.jobs['check']?.strategy?.matrix?.['node'];
    expect(versions).toEqual(['20.19', '22', '24']);
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

  it('hand the tarballs of a release to a job that has the right to publish and nothing else', () => {
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

  it('look into the packages and the images as others get them, and take the tour and run published libraries, with every change', () => {
    const commands = pnpmCommands(WORKFLOWS.find(({ name }) => name === 'ci.yml')?.jobs ?? []);
    expect(commands).toEqual(expect.arrayContaining(['packages:check', 'images', 'tour', 'works-with']));
  });

  it.each([
    'dependabot.yml',
    ...readdirSync(join(FOLDER, 'ISSUE_TEMPLATE')).map((name) => `ISSUE_TEMPLATE/${name}`),
  ])('stand beside %s, which can be read', (path) => {
    expect(parse(textOf(path))).toEqual(expect.any(Object));
  });
});
