import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closers } from '@vestibule/local-services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from '../src/browser/open-chromium.js';
import { isGood } from '../src/program/outcome.js';
import { type Program, programsIn } from '../src/program/programs.js';
import { type ProgramEnvironment, runProgram } from '../src/program/run-program.js';
import { ROOT } from '../src/root.js';
import { stacksOf } from '../src/stack/stack.js';

const [DOCUMENT, SMALL] = programsIn(fileURLToPath(new URL('fixtures', import.meta.url)));
if (DOCUMENT === undefined || SMALL === undefined) throw new Error('a fixture is missing');
const toEnd = closers();
const stackOf = stacksOf(ROOT, toEnd);
let environment: ProgramEnvironment;

beforeAll(async () => {
  const cache = await mkdtemp(join(tmpdir(), 'vestibule-works-with-cache-'));
  toEnd.add(() => rm(cache, { recursive: true, force: true }));
  const browser = await openChromium(() => undefined, toEnd);
  environment = { browser, environment: process.env, checkout: ROOT, cache, log: () => undefined };
});

afterAll(() => toEnd.closeAll());

const run = (program: Program) => runProgram(program, stackOf(program.manifest), environment, toEnd);

const withManifest = (changes: Partial<Program['manifest']>): Program => ({
  ...SMALL,
  manifest: { ...SMALL.manifest, ...changes },
});

describe('a program', () => {
  it('is prepared outside the repository and run against a stack, with a browser that signs in and out', async () => {
    const outcome = await run(SMALL);
    expect(outcome).toMatchObject({ kind: 'ran', version: 'prepared' });
    expect(outcome.steps.map(({ step, worked }) => [step, worked])).toEqual([
      ['register', true],
      ['login', true],
      ['tokens', true],
      ['refused login', false],
      ['stay', true],
      ['logout', true],
    ]);
    expect(outcome.steps[3]?.refusal).toMatch(/^400: \w+/);
    expect(isGood(outcome)).toBe(true);
    expect(await readdir(SMALL.folder)).not.toContain('prepared.txt');
  });

  it('publishes a client ID metadata document, with which it logs in at its stack', async () => {
    expect(await run(DOCUMENT)).toEqual({
      kind: 'ran',
      version: 'published',
      steps: [{ step: 'login', worked: true }],
    });
  });

  it('is not run without a command that it needs', async () => {
    const outcome = await run(withManifest({ needs: ['node', 'no-such-command'] }));
    expect(outcome).toEqual({ kind: 'not run', problem: 'lacks no-such-command', steps: [] });
  });

  it('fails when its preparation fails, and is prepared again in the next run', async () => {
    const program = { ...withManifest({ prepare: ['echo no compiler; exit 3'] }), name: 'unprepared' };
    const problem = '"echo no compiler; exit 3" failed: no compiler';
    expect(await run(program)).toEqual({ kind: 'failed', problem, steps: [] });
    expect(await run(program)).toEqual({ kind: 'failed', problem, steps: [] });
  });

  it('is given the checkout, and no stack where its manifest has none', async () => {
    const line = `echo '{"version":"1"}'; echo "{\\"step\\":\\"$VESTIBULE $MASTER_TOKEN\\",\\"worked\\":true}"`;
    const { stack: _stack, ...manifest } = withManifest({ run: line }).manifest;
    const outcome = await run({ ...SMALL, manifest });
    expect(outcome).toMatchObject({ kind: 'ran', steps: [{ step: `${ROOT} `, worked: true }] });
  });

  it('fails when it exits with an error, whatever it reported before', async () => {
    const outcome = await run(
      withManifest({ run: `echo '{"version":"1"}'; echo '{"step":"x","worked":true}'; exit 7` }),
    );
    expect(outcome).toMatchObject({ kind: 'failed', problem: 'it ended with the code 7', version: '1' });
    expect(isGood(outcome)).toBe(false);
  });
});
