import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { decodeUnverifiedJwt } from '@vestibule/crypto/jwt';
import { signingKeyOverlapSeconds } from '@vestibule/crypto/signing-keys';
import { type Closers, closing } from '@vestibule/local-services';
import { type BusyFleet, openBusyFleet } from '../fleet/busy-fleet.js';
import { type RunningCrossing, startCrossing } from '../fleet/crossing.js';
import { startVerifiers } from '../fleet/key-copies.js';
import { type Ledger, openLedger } from '../fleet/ledger.js';
import { openOperator } from '../fleet/operator.js';
import { getOnce } from '../load/http.js';
import { REDIS_PASSWORD } from '../processes/redis.js';
import type { Replacement } from '../processes/service.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import { freshMasterToken, masterSettings } from '../traffic/master-token.js';
import type { ServiceName } from '../traffic/traffics.js';
import { until } from '../until.js';
import { ledgerResult } from './ledger-result.js';
import { badEnds } from './rolling-restart.js';
import type { Trial, TrialResult } from './trial.js';

const CALLERS = 4;
/** The longest lifetime of a token: signatures of a previous signing key may have to be verified for that long. */
const PUBLISHED_SECONDS = 31_536_000;
/** Processes read their keys twice a minute. */
const KEYS_READ_MS = 40_000;
const MAX_TOKEN_LENGTH = 8_192;
/** How long clients may cache the published keys. */
const KEPT_SECONDS = 20;
/** A little longer than a key is published before it may sign. */
const ANNOUNCED_MS = 1000 * signingKeyOverlapSeconds(KEPT_SECONDS) + 10_000;
/** How often an operator retries an early activation. */
const POLL_INTERVAL_MS = 500;

/** Every secret of an installation is replaced. */
export const ROTATION: Trial = {
  id: 'secrets-rotated',
  title:
    'signing key, keys that encrypt and digest, key-encryption key, master token and the password of Redis are replaced',
  run: (testEnvironment) => closing((toEnd) => rotate(testEnvironment, toEnd)),
};

async function rotate(testEnvironment: TestEnvironment, toEnd: Closers): Promise<TrialResult> {
  const { installation, postgres, redis } = testEnvironment;
  const [before, after] = [
    secretsOf(installation.environment['ENCRYPTION_KEYS'] ?? ''),
    secretsOf(freshKey()),
  ];
  let { masterToken } = before;
  const ledger = openLedger();
  const fixture = { ...testEnvironment, masterToken: () => masterToken };
  const url = postgres.url(installation.database);
  const original = await openOperator(url, `${before.key},${after.key}`);
  toEnd.add(original.close);
  // Restores the original keys for later trials.
  toEnd.add(async () => void (await original.rewrap()));
  toEnd.add(
    async () => void (await redis.admin.acl('SETUSER', 'default', 'resetpass', `>${REDIS_PASSWORD}`)),
  );
  const fleets = await openFleets(
    testEnvironment,
    { ledger, fixture, environment: masterSettings(masterToken) },
    toEnd,
  );
  const [authorization, , introspection] = fleets;
  const { resourceServer } = installation;
  const crossing = startCrossing({
    authorization,
    introspection,
    ledger,
    resourceServer,
    masterToken: fixture.masterToken,
  });
  toEnd.add(crossing.stop);
  const verifiers = await startVerifiers(authorization, ledger, crossing);
  toEnd.add(verifiers.stop);
  const earlier = [await crossing.issue('jwt'), await crossing.issue('identifier')];
  const added = await original.add();
  const times = { publishedSeconds: PUBLISHED_SECONDS, cachedSeconds: KEPT_SECONDS };
  const isTooEarly = !(await original.activateSigningKey(added, times));
  const publishing = untilPublished(authorization, added.kid).then(() => performance.now());
  publishing.catch(() => undefined);
  const replaced: Replacement[] = [];
  const rollAll = async (settings: (name: ServiceName) => Readonly<Record<string, string>>) => {
    for (const fleet of fleets) {
      const environment = { ...fleet.environment, ...settings(fleet.name as ServiceName) };
      replaced.push(...(await fleet.roll({ environment })));
    }
  };
  await redis.admin.acl('SETUSER', 'default', `>${after.redisPassword}`);
  const redisUrl = `redis://:${after.redisPassword}@127.0.0.1:${redis.port}`;
  const redisOf = (name: ServiceName) => (name === 'introspection' ? { REDIS_URL: redisUrl } : {});
  await rollAll((name) => ({
    ENCRYPTION_KEYS: `${after.key},${before.key}`,
    ...masterSettings(before.masterToken, after.masterToken),
    ...redisOf(name),
  }));
  masterToken = after.masterToken;
  const publishedAt = await publishing;
  await original.activateDataKeys(added);
  await until(async () => {
    await pause(POLL_INTERVAL_MS);
    return original.activateSigningKey(added, times);
  }, ANNOUNCED_MS);
  await until(async () => kidOf(await crossing.issue('jwt')) === added.kid, KEYS_READ_MS);
  const operator = await openOperator(url, `${after.key},${before.key}`);
  toEnd.add(operator.close);
  const [left, rewrapped] = [await operator.reencrypt(), await operator.rewrap()];
  const unreadable = left - (await copiedSecrets(testEnvironment));
  await redis.admin.acl('SETUSER', 'default', `<${REDIS_PASSWORD}`);
  await rollAll((name) => ({
    ENCRYPTION_KEYS: after.key,
    ...masterSettings(after.masterToken),
    ...redisOf(name),
  }));
  for (const token of [...earlier, await crossing.issue('jwt')])
    for (const _instance of introspection.instances) await crossing.requireActive(token);
  const earlierKid = kidOf(earlier[0] ?? '');
  const { seen } = verifiers;
  // Every copy that was fetched before the previous key was retired has been refreshed since.
  const lastMs = () => seen.signatures.get(earlierKid)?.lastMs ?? 0;
  await until(async () => performance.now() - lastMs() > seen.keptMs, KEYS_READ_MS + seen.keptMs);
  const published = await publishedKids(authorization);
  const overlapMs = (seen.signatures.get(added.kid)?.firstMs ?? 0) - publishedAt;
  await verifiers.stop();
  const rest = await endAll(fleets, crossing);
  return ledgerResult(ledger, {
    remarks: [
      `${replaced.length} restarts`,
      `${rewrapped} data keys rewrapped`,
      `keys may be cached for ${seen.keptMs / 1000} s; the new one was published ${Math.round(overlapMs / 1000)} s before it signed`,
      `${seen.verified} signatures verified with cached keys, ${seen.unknown} by a key that a cache lacked`,
    ],
    problems: [
      ...rest,
      ...badEnds(replaced),
      ...(unreadable > 0 ? [`${unreadable} records cannot be decrypted`] : []),
      ...(seen.unknown > 0 ? ['a cache of the published keys lacked a key'] : []),
      ...(isTooEarly && overlapMs >= seen.keptMs && seen.keptMs > 0 ? [] : ['the new key signed too early']),
      ...(published.includes(earlierKid) ? [] : ['the earlier key is not published any more']),
    ],
  });
}

/** What a rotation replaces besides the keys in the database. */
function secretsOf(key: string) {
  return { key, masterToken: freshMasterToken(), redisPassword: freshKey() };
}

/** Copied clients contain the secret of another record, which cannot be decrypted. */
async function copiedSecrets({ installation: { pool } }: TestEnvironment): Promise<number> {
  const text = `SELECT count(*)::int AS count FROM client WHERE id LIKE 'lone-%' AND secret_sealed IS NOT NULL`;
  return (await pool.query<{ count: number }>(text)).rows[0]?.count ?? 0;
}

function freshKey(): string {
  return randomBytes(32).toString('base64url');
}

interface FleetNeeds {
  readonly ledger: Ledger;
  readonly fixture: TestEnvironment & { readonly masterToken: () => string };
  readonly environment: Readonly<Record<string, string>>;
}

async function openFleets(
  testEnvironment: TestEnvironment,
  { ledger, fixture, environment }: FleetNeeds,
  toEnd: Closers,
): Promise<readonly [BusyFleet, BusyFleet, BusyFleet]> {
  const open = (name: ServiceName) => {
    const own = {
      ACCESS_TOKEN_SIGNING_ALG: 'ES256',
      ...(name === 'authorization' && { KEY_SET_MAX_AGE_SECONDS: String(KEPT_SECONDS) }),
      ...(name !== 'introspection' && environment),
    };
    return openBusyFleet(
      testEnvironment,
      { name, fixture, ledger, callers: CALLERS, environment: own },
      toEnd,
    );
  };
  return [await open('authorization'), await open('registration'), await open('introspection')];
}

async function endAll(fleets: readonly BusyFleet[], crossing: RunningCrossing): Promise<readonly string[]> {
  await crossing.stop();
  return (await Promise.all(fleets.map((fleet) => fleet.rest()))).flat();
}

async function untilPublished(fleet: BusyFleet, kid: string): Promise<void> {
  for (const { port } of fleet.instances)
    await until(async () => (await kidsAt(port)).includes(kid), ANNOUNCED_MS);
}

async function publishedKids({ instances: [{ port }] }: BusyFleet): Promise<readonly string[]> {
  return kidsAt(port);
}

async function kidsAt(port: number): Promise<readonly string[]> {
  const { body } = await getOnce(port, '/jwks.json');
  return [...body.matchAll(/"kid":"([^"]+)"/g)].map(([, kid = '']) => kid);
}

function kidOf(jwt: string): string {
  return String(decodeUnverifiedJwt(jwt, MAX_TOKEN_LENGTH).header['kid']);
}
