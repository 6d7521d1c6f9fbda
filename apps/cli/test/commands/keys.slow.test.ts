import { randomBytes } from 'node:crypto';
import type { KeyRecord } from '@vestibule/crypto/key-rings';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createResourceServer,
  everyCommandWasRun,
  introspect,
  type OperatedStack,
  openStack,
  tokenFor,
} from '../support/operated-stack.js';
import { startVestibule, vestibule } from '../support/vestibule.js';

const KEYS = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64url'));
const [FIRST_KEY = '', LATER_KEY = ''] = KEYS;

let stack: OperatedStack;
let secret: string;

// The stack has both key-encryption keys from the start; the operator moves everything from one to the other.
beforeAll(async () => {
  stack = await openStack({ ENCRYPTION_KEYS: KEYS.join(',') });
  secret = await createResourceServer(stack, 'verifier');
});
afterAll(() => stack.stop());

const introspectsAs = (token: string) => introspect(stack, ['verifier', secret], token);

it('keys list, generate, activate, retire: rotate the keys that the stack publishes and signs with', async () => {
  // An unknown key makes the stack read the keys again.
  const published = async (): Promise<readonly string[]> => {
    const header = { alg: 'ES256', typ: 'at+jwt', kid: randomBytes(8).toString('hex') };
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const payload = { iss: stack.baseUrl, aud: stack.baseUrl, sub: 'x', exp: 9_999_999_999 };
    await introspectsAs(`${part(header)}.${part(payload)}.${'A'.repeat(86)}`);
    const { body } = await stack.send('/jwks.json');
    return body.keys.map(({ kid }: { readonly kid: string }) => kid);
  };
  const listed: readonly KeyRecord[] = await stack.json(['keys', 'list', '--ring', 'provider']);
  const before = listed.find(({ algorithm }) => algorithm === 'ES256')?.id ?? '';
  const made = await stack.json(['keys', 'generate', 'provider', '--algorithm', 'ES256', '--actor', 'jane']);
  expect(made).toMatchObject({ ring: 'provider', algorithm: 'ES256', state: 'pending' });
  await expect.poll(published, { timeout: 60_000, interval: 1_000 }).toContain(made.id);
  const table = await stack.text(['keys', 'list', '--ring', 'provider']);
  expect(table).toMatch(new RegExp(`^provider +ES256 +pending .* ${made.id}$`, 'm'));
  expect((await stack.refused(4, ['keys', 'activate', made.id])).stderr).toMatch(/too new/);
  expect(await stack.text(['keys', 'activate', made.id, '--at-once'])).toBe(
    `The key ${made.id} is active.\n`,
  );
  expect(await published()).toContain(before);
  const drop = ['keys', 'retire', before, '--published-seconds', '0'];
  expect((await stack.refused(4, drop)).stderr).toMatch(/at least 360 seconds/);
  expect(await stack.text([...drop, '--at-once'])).toBe(`The key ${before} is retired.\n`);
  await expect.poll(published, { timeout: 60_000, interval: 1_000 }).not.toContain(before);
  await stack.refused(4, ['keys', 'retire', made.id]);
  // One in 64 key identifiers begins with a hyphen.
  for (const id of ['none', '-none']) await stack.refused(3, ['keys', 'retire', id]);
  const token = await tokenFor(stack, { client_id: 'verifier', format: 'jwt' });
  expect(await introspectsAs(token)).toMatchObject({ body: { active: true } });
  expect(await stack.typed(['audit', 'export', '--target', `signing_key:${made.id}`])).toMatchObject([
    { actor: 'operator:jane', action: 'signing_key.added' },
    { actor: 'operator:cli', action: 'signing_key.changed', details: { state: 'active' } },
  ]);
});

it('keys list, generate, activate, retire: print results as JSON, and explain errors', async () => {
  const text = await stack.text(['keys', 'generate', 'encryption', '--algorithm', 'ECDH-ES']);
  const [, id = ''] =
    /^Created the pending key (\S+)\.\nNext, at \S+ \S+Z or later: vestibule keys activate \1\n$/.exec(
      text,
    ) ?? [];
  const listed: readonly KeyRecord[] = await stack.typed(['keys', 'list', '--ring', 'encryption']);
  const before =
    listed.find(({ algorithm, state }) => algorithm === 'ECDH-ES' && state === 'active')?.id ?? '';
  expect(await stack.json(['keys', 'activate', id, '--at-once'])).toEqual({ id, state: 'active' });
  expect(await stack.json(['keys', 'retire', before])).toEqual({ id: before, state: 'retired' });
  expect((await stack.refused(2, ['keys', 'generate', 'provider'])).stderr).toMatch(
    /needs --algorithm, one of RS256/,
  );
  const { stderr } = await stack.refused(2, ['keys', 'generate', 'seal', '--algorithm', 'ES256']);
  expect(stderr).toBe('vestibule: --algorithm: data keys have a fixed algorithm.\n');
  const environment = { ...stack.environment, KEY_SET_MAX_AGE_SECONDS: 'long' };
  const made = await stack.typed(['keys', 'list']);
  expect(await vestibule(['keys', 'generate', 'provider', '--algorithm', 'ES256'], { environment })).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/\n {2}KEY_SET_MAX_AGE_SECONDS: must be an integer/),
  });
  expect(await stack.typed(['keys', 'list'])).toEqual(made);
  expect((await stack.refused(2, ['keys', 'list', '--ring', 'saturn'])).stderr).toMatch(
    /\nSee vestibule keys list --help\.\n$/,
  );
});

it('keys rotate: waits until every reader can have the new keys, continues after an interruption, and activates them', async () => {
  const provider = async (): Promise<readonly KeyRecord[]> =>
    stack.typed(['keys', 'list', '--ring', 'provider']);
  const inUse = async () =>
    (await provider()).flatMap(({ id, state, algorithm }) => (state === 'active' ? [{ id, algorithm }] : []));
  const before = await inUse();
  const rotating = startVestibule(['keys', 'rotate', 'provider'], { environment: stack.environment });
  await expect
    .poll(rotating.stderr, { timeout: 60_000 })
    .toMatch(
      /^The new keys become active at \S+ \S+Z, when every reader has them\. If interrupted, run the same command again to continue\.\n$/,
    );
  rotating.interrupt();
  expect(await rotating.ended).toMatchObject({ stdout: '' });
  const made = (await provider()).filter(({ state }) => state === 'pending');
  expect(made.map(({ algorithm }) => algorithm).sort()).toEqual(
    before.map(({ algorithm }) => algorithm).sort(),
  );
  expect(await inUse()).toEqual(before);
  // Skip the wait except for three seconds.
  const ids = made.map(({ id }) => id);
  await stack.sql(`UPDATE signing_key SET created_at = created_at - interval '357 seconds'`);
  const used: readonly { readonly id: string }[] = await stack.json(['keys', 'rotate', 'provider']);
  expect(used.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect((await inUse()).map(({ id }) => id).sort()).toEqual([...ids].sort());
  const after = await provider();
  const usedAt = Math.min(
    ...after.flatMap(({ id, activated_at: at }) => (ids.includes(id) && at !== undefined ? [at] : [])),
  );
  const madeAt = Math.max(...after.flatMap(({ id, created_at: at }) => (ids.includes(id) ? [at] : [])));
  expect(usedAt - madeAt).toBeGreaterThanOrEqual(360);
  for (const { id } of before)
    expect(after.find((key) => key.id === id)).toMatchObject({
      state: 'retired',
      expires_at: expect.any(Number),
    });
});

it('keys rotate --now: activates a new key, and stops publishing all earlier ones, including pending and retired ones', async () => {
  const token = await tokenFor(stack, { client_id: 'verifier', format: 'jwt' });
  expect(await introspectsAs(token)).toMatchObject({ body: { active: true } });
  const { alg, kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
  const { id: pending } = await stack.json(['keys', 'generate', 'provider', '--algorithm', alg]);
  const earlier: readonly KeyRecord[] = await stack.typed(['keys', 'list', '--ring', 'provider']);
  const retired = earlier.find(({ algorithm, state }) => algorithm === alg && state === 'retired')?.id ?? '';
  expect(retired).not.toBe('');
  const text = await stack.text(['keys', 'rotate', 'provider', '--algorithm', alg, '--now']);
  const [, id = ''] = /^The key (\S+) is active\.\n$/.exec(text) ?? [];
  const listed: readonly KeyRecord[] = await stack.typed(['keys', 'list', '--ring', 'provider']);
  const states = new Map(listed.map((key) => [key.id, key.state]));
  const gone = [pending, retired, kid];
  expect([id, ...gone].map((key) => states.get(key))).toEqual(['active', undefined, undefined, undefined]);
  await expect
    .poll(async () => (await introspectsAs(token)).body, { timeout: 60_000, interval: 500 })
    .toEqual({ active: false });
});

it('keys rewrap: moves everything to another key-encryption key while the stack keeps working', async () => {
  const rotated = { ...stack.environment, ENCRYPTION_KEYS: `${LATER_KEY},${FIRST_KEY}` };
  const due = await vestibule(['keys', 'rewrap', '--dry-run', '--json'], { environment: rotated });
  expect(JSON.parse(due.stdout)).toMatchObject({ data_keys_due: 2 });
  expect(await vestibule(['keys', 'rewrap', '--json'], { environment: rotated })).toMatchObject({ code: 0 });
  const alone = { ...stack.environment, ENCRYPTION_KEYS: LATER_KEY };
  const shown = await vestibule(['clients', 'show', 'verifier', '--credentials', '--json'], {
    environment: alone,
  });
  expect(JSON.parse(shown.stdout)).toMatchObject({ client_secret: secret });
  const token = await tokenFor(stack, { client_id: 'verifier' });
  expect(await introspectsAs(token)).toMatchObject({ body: { active: true } });
  // Move back, to match the environment of the stack.
  expect(await stack.json(['keys', 'rewrap'])).toEqual({
    dry_run: false,
    data_keys_wrapped: 2,
    reencrypted: 0,
    left: 0,
    unreadable: 0,
  });
  expect(await stack.text(['keys', 'rewrap'])).toMatch(/^Data keys wrapped +0\n.*Records left +0\n/s);
  expect(await introspectsAs(token)).toMatchObject({ body: { active: true } });
  await stack.refused(2, ['keys', 'rewrap', '--actor', 'two words']);
  expect(await vestibule(['keys', 'rewrap'], { environment: alone })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'vestibule: ENCRYPTION_KEYS cannot decrypt the keys of this database.\n',
  });
});

it('keys retire: keeps a digest key for a minute after its replacement, because processes may still write under it', async () => {
  const { sql } = stack;
  const listed: readonly KeyRecord[] = await stack.json(['keys', 'list', '--ring', 'digest']);
  const before = listed.find(({ state }) => state === 'active')?.id ?? '';
  const { id } = await stack.json(['keys', 'generate', 'digest']);
  const settle = (column: 'created_at' | 'activated_at') =>
    sql(`UPDATE data_key SET ${column} = now() - interval '61 seconds' WHERE id = '${id}'`);
  await settle('created_at');
  const startedAt = Date.now() / 1000;
  await stack.text(['keys', 'activate', id]);
  const { stderr } = await stack.refused(4, ['keys', 'retire', before]);
  const [, waits] = /^vestibule: The data key can be retired in (\d+) seconds: .*\.\n$/.exec(stderr) ?? [];
  // Both commands take time, so part of the minute has passed.
  const elapsed = Date.now() / 1000 - startedAt;
  expect(Number(waits)).toBeLessThanOrEqual(60);
  expect(Number(waits)).toBeGreaterThanOrEqual(Math.floor(59 - elapsed));
  const kept: readonly KeyRecord[] = await stack.json(['keys', 'list', '--ring', 'digest']);
  const active = kept.find(({ state }) => state === 'active');
  expect([active?.id, kept.find(({ state }) => state === 'pending')?.id]).toEqual([id, before]);
  expect(active?.activated_at).toBeGreaterThanOrEqual(Math.floor(startedAt));
  expect(active?.activated_at).toBeLessThanOrEqual(Math.ceil(startedAt + elapsed));
  await settle('activated_at');
  expect(await stack.text(['keys', 'retire', before])).toBe(`The key ${before} is retired.\n`);
});

it('keys rotate: rotates data keys after a minute and not sooner, and refuses federation keys', async () => {
  const refusal = async (...typed: readonly string[]) =>
    (await stack.refused(2, ['keys', 'rotate', ...typed])).stderr;
  expect(await refusal('seal', '--now')).toMatch(/a minute after they were created/);
  expect(await refusal('seal', '--algorithm', 'ES256')).toMatch(/data keys have a fixed algorithm/);
  expect(await refusal('federation')).toMatch(/superiors have to list the new key first/);
  await stack.refused(3, ['keys', 'rotate', 'provider', '--algorithm', 'ES512']);
  const keys = async (): Promise<readonly KeyRecord[]> => stack.typed(['keys', 'list', '--ring', 'digest']);
  const before = (await keys()).find(({ state }) => state === 'active')?.id ?? '';
  const { id } = await stack.json(['keys', 'generate', 'digest']);
  await stack.sql(`UPDATE data_key SET created_at = created_at - interval '61 seconds'`);
  expect(await stack.text(['keys', 'rotate', 'digest'])).toBe(`The key ${id} is active.\n`);
  // The previous key is kept until it is retired, and is not treated as a new pending key.
  expect((await keys()).find((key) => key.id === before)).toMatchObject({ state: 'pending' });
});

everyCommandWasRun('keys', () => stack);
