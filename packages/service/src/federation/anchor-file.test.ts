import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { frozenClock } from '@vestibule/protocol/testing';
import { createEntityKey } from '@vestibule/testkit/federation';
import { expect, it, onTestFinished } from 'vitest';
import { followAnchorFile } from './anchor-file.js';

const ANCHOR = 'https://anchor.example';

async function anAnchorFile() {
  const folder = await mkdtemp(join(tmpdir(), 'anchors-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'anchors.json');
  const [before, after] = [await createEntityKey(), await createEntityKey()];
  const holds = (...keys: (typeof before)[]) =>
    writeFile(path, JSON.stringify({ [ANCHOR]: { keys: keys.map(({ publicJwk }) => publicJwk) } }));
  await holds(before);
  const clock = frozenClock();
  const problems: string[] = [];
  const onProblem = (error: unknown) => problems.push(String(error));
  const anchors = followAnchorFile({ path, allowHosts: [], clock, onProblem });
  const keys = async () =>
    [...(await anchors()).values()].flatMap(({ keys: all }) => all.map(({ kid }) => kid));
  return { path, before, after, holds, clock, problems, keys };
}

it('rereads the file while the process runs, at most every ten seconds', async () => {
  const { before, after, holds, clock, keys, problems } = await anAnchorFile();
  expect(await keys()).toEqual([before.kid]);
  await holds(before, after);
  clock.advanceSeconds(9);
  expect(await keys()).toEqual([before.kid]);
  clock.advanceSeconds(1);
  expect(await Promise.all([keys(), keys()])).toEqual([
    [before.kid, after.kid],
    [before.kid, after.kid],
  ]);
  await holds(after);
  clock.advanceSeconds(10);
  expect(await keys()).toEqual([after.kid]);
  expect(problems).toEqual([]);
});

it('keeps the current trust anchors while the file is invalid, and reports each problem once', async () => {
  const { path, before, after, holds, clock, keys, problems } = await anAnchorFile();
  for (const text of ['{', '{}', `{"${ANCHOR}":{"keys":[]}}`]) {
    await writeFile(path, text);
    for (let i = 0; i < 2; i += 1) {
      clock.advanceSeconds(10);
      expect(await keys()).toEqual([before.kid]);
    }
  }
  await rm(path);
  clock.advanceSeconds(10);
  expect(await keys()).toEqual([before.kid]);
  expect(problems).toEqual([
    expect.stringMatching(/^AnchorFileError: FEDERATION_TRUST_ANCHORS_FILE: /),
    'AnchorFileError: FEDERATION_TRUST_ANCHORS_FILE: must be an object of entity identifiers and JWK sets',
    'AnchorFileError: FEDERATION_TRUST_ANCHORS_FILE: holds a key set without a usable key',
    'AnchorFileError: FEDERATION_TRUST_ANCHORS_FILE: the file cannot be read',
  ]);
  await holds(after);
  clock.advanceSeconds(10);
  expect(await keys()).toEqual([after.kid]);
});

it('does not start with an invalid file', async () => {
  const { path, clock } = await anAnchorFile();
  await writeFile(path, '{}');
  const options = { path, allowHosts: [], clock, onProblem: () => undefined };
  expect(() => followAnchorFile(options)).toThrow('must be an object of entity identifiers and JWK sets');
});
