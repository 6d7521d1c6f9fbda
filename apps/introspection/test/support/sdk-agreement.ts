import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { foreignSql, type Sql } from '@vestibule/local-services/testing';
import { nowSeconds } from '@vestibule/protocol';
import type { Verification } from '@vestibule/resource-server';
import { testRedisUrl } from '@vestibule/testkit';
import { expect, vi } from 'vitest';
import { call } from './introspection-call.js';
import { keyRotation } from './key-rotation.js';
import { type OperationSequence, operationSequence } from './operation-sequence.js';
import { randomChoice } from './random-choice.js';
import { API, anApi, CREDENTIALS, inShort, requestWith } from './resource-server.js';
import { aShiftedInstance, shiftedTime } from './shifted-instance.js';
import { aTestService, ISSUER } from './test-service.js';

/** What was compared. */
export interface Agreement {
  readonly comparisons: number;
  /** Comparisons for which the API did not ask. */
  readonly cached: number;
  /** Tokens that were accepted, and later refused. */
  readonly ended: number;
}

/** Sequences that run beside each other, and share the passing of time and the keys. */
const BATCH = 50;
/** Operations in each sequence. */
const ROUNDS = 6;
/** In one of this many batches, keys are added, activated and retired after the operations in these places. */
const ROTATE_EVERY = 4;
const ROTATIONS = [1, 3, 5];
/** Tokens of a sequence that are compared, the latest ones. */
const COMPARED = 3;
/** The share of comparisons, in percent, for a token that was refused twice in a row: it is rarely accepted again. */
const REFUSED_PERCENT = 25;
/**
 * How often in a row they may disagree, with the pause in between: for the second that is promised, and longer on a busy
 * machine, where each comparison takes long.
 */
const DISAGREEMENTS = 50;
const PAUSE_MS = 20;
/** The age of the watermark up to which a token is compared; the API uses its cache for a second. */
const CACHE_USABLE_MS = 900;
/** How often in all a store may be late in one comparison. */
const FAULTS = 500;
/** Work at the same time. */
const PARALLEL = 16;

/**
 * Expects that an API that follows the stream of changes, and the introspection endpoint when it is asked directly, agree on
 * every token after every operation of random sequences, as soon as the stream has passed it. The API asks one instance and
 * follows the stream of another one. While operations are under way it verifies tokens too, so that it also caches
 * responses that are outdated when they arrive.
 */
export async function expectAgreement({
  seed,
  sequences,
}: {
  readonly seed: number;
  readonly sequences: number;
}): Promise<Agreement> {
  const fixture = await anApiBesideEndpoint(seed);
  for (let first = 0; first < sequences; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, sequences - first) }, (_, index) =>
      operationSequence(fixture, { name: `${first + index}`, seed: seed + first + index }),
    );
    await compareBatch(fixture, batch, (first / BATCH) % ROTATE_EVERY === 1);
  }
  return fixture.agreement();
}

type Fixture = Awaited<ReturnType<typeof anApiBesideEndpoint>>;

async function compareBatch(
  fixture: Fixture,
  batch: readonly OperationSequence[],
  isRotating: boolean,
): Promise<void> {
  const { oneOf, chance } = fixture.choice;
  const passSeconds = async (seconds: number) => {
    fixture.passSeconds(seconds);
    await fixture.untilPassed();
    await fixture.compare(batch);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const isRotation = isRotating && ROTATIONS.includes(round);
    // After so long the stream begins anew. The API must cache tokens when the keys change.
    if (isRotation) await passSeconds(60);
    await inParallel(batch, async (sequence) => {
      const { tokens } = sequence;
      const verifying = tokens.length === 0 ? undefined : fixture.verify(oneOf(tokens));
      await Promise.all([sequence.next(), verifying]);
    });
    if (isRotation) await fixture.rotateKeys();
    else if (chance(8)) await fixture.revokeIssuer();
    // For a second the API refuses a token that has ended without asking about it again.
    await passSeconds(isRotation ? 1 : oneOf([1, 1, 1, 19]));
  }
}

async function anApiBesideEndpoint(seed: number) {
  const time = shiftedTime();
  const service = await aTestService({ clock: time.clock });
  const redisUrl = await testRedisUrl();
  const [asked, followed] = [
    await aShiftedInstance(service, time, redisUrl),
    await aShiftedInstance(service, time, redisUrl),
  ];
  await followed.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = followed.app.server.address() as AddressInfo;
  const { api } = await anApi({ app: asked.app, clock: time.clock }, CREDENTIALS, {
    resource: { identifier: API, audience: 'unchecked' },
    changes: { endpoint: `http://127.0.0.1:${port}/token/changes` },
    monotonic: time.monotonic,
  });
  const metric = (name: string) => api.metrics.all.find((each) => each.name === name)?.read()[0]?.value ?? 0;
  const watermarkAgeMs = () => 1000 * metric('resource_server_changes_watermark_age_seconds');
  /** Waits until the instance that is asked, and the stream, have passed everything that was done before. */
  const untilPassed = async () => {
    const doneAtMs = time.monotonic();
    const hasPassed = () => asked.watermarkMs() > doneAtMs && time.monotonic() - watermarkAgeMs() > doneAtMs;
    await vi.waitUntil(hasPassed, { timeout: 60_000, interval: 2 });
  };
  /** Waits until the API may use its cache, which a busy machine delays; otherwise the comparison would not try it. */
  const untilCacheUsable = () =>
    vi.waitUntil(() => watermarkAgeMs() < CACHE_USABLE_MS, { timeout: 60_000, interval: 2 });
  const rotation = keyRotation(service);
  const verify = (token: string) => api.verify(requestWith({ authorization: `Bearer ${token}` }));
  const choice = randomChoice(seed);
  const [accepted, ended] = [new Set<string>(), new Set<string>()];
  /** Refusals in a row. */
  const refusals = new Map<string, number>();
  let comparisons = 0;
  let cached = 0;
  const isDue = (token: string) => (refusals.get(token) ?? 0) < 2 || choice.chance(REFUSED_PERCENT);
  const note = (token: string, { outcome }: Verification) => {
    comparisons += 1;
    refusals.set(token, outcome === 'accepted' ? 0 : (refusals.get(token) ?? 0) + 1);
    if (outcome === 'accepted') accepted.add(token);
    else if (accepted.has(token)) ended.add(token);
  };
  /** Returns what the API found out, if the endpoint responds alike; a store that is late is no disagreement. */
  const sameResult = async (token: string): Promise<Verification | 'other' | 'fault'> => {
    const verification = await verify(token);
    const { status, body } = await call(asked.app, { token });
    if (status !== 200 || isUnavailable(verification)) return 'fault';
    return isSame(verification, JSON.parse(body)) ? verification : 'other';
  };
  const agreedResult = async (token: string): Promise<Verification | undefined> => {
    let [disagreements, faults] = [0, 0];
    for (; disagreements <= DISAGREEMENTS && faults <= FAULTS; await pause(PAUSE_MS)) {
      const result = await sameResult(token);
      if (result === 'other') disagreements += 1;
      else if (result === 'fault') faults += 1;
      else return result;
    }
    return undefined;
  };
  const compareTokens = async ({ name, tokens, history }: OperationSequence) => {
    for (const token of tokens.slice(-COMPARED)) {
      if (!isDue(token)) continue;
      await untilCacheUsable();
      const verification = await agreedResult(token);
      if (verification === undefined)
        expect.fail(
          `seed ${seed}, sequence ${name} (${history.join(', ')}), token ${tokens.indexOf(token)}: ` +
            `${inShort(await verify(token))} instead of ${(await call(asked.app, { token })).body}`,
        );
      note(token, verification);
    }
  };
  return {
    service,
    sql: oneAtATime(await foreignSql(service.databaseUrl)),
    app: asked.app,
    choice,
    verify,
    rotateKeys: rotation.next,
    revokeIssuer: () => service.database.revocations.revokeIssuer(ISSUER, nowSeconds(time.clock)),
    passSeconds: time.passSeconds,
    untilPassed,
    compare: async (batch: readonly OperationSequence[]) => {
      const before = metric('resource_server_cache_hits_total');
      await inParallel(batch, compareTokens);
      cached += metric('resource_server_cache_hits_total') - before;
    },
    agreement: (): Agreement => ({ comparisons, cached, ended: ended.size }),
  };
}

/** Whether a request was accepted with the members of an active response, or refused with 401 for an inactive one. */
function isSame(verification: Verification, members: { readonly active: boolean }): boolean {
  if (verification.outcome === 'refused') return verification.status === 401 && !members.active;
  return isDeepStrictEqual(JSON.parse(JSON.stringify(verification.token.claims)), members);
}

function isUnavailable(verification: Verification): boolean {
  return verification.outcome === 'refused' && verification.status === 503;
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

/** A connection runs one statement at a time. */
function oneAtATime(sql: Sql): Sql {
  let last: Promise<unknown> = Promise.resolve();
  return (statement, values) => {
    const result = last.then(() => sql(statement, values));
    last = result.catch(() => undefined);
    return result;
  };
}
