import { secureRandom } from '@vestibule/crypto';
import { type Closers, closing } from '@vestibule/local-services';
import { nowSeconds, parseIssuer, systemClock } from '@vestibule/protocol';
import { parseScope } from '@vestibule/scopes';
import { logIn } from '@vestibule/testkit/logins';
import { issueInitialAccessToken } from '@vestibule/tokens/issuing';
import { type Gateway, openGateway } from '../fleet/gateway.js';
import { type Ledger, openLedger, UnexpectedResponse } from '../fleet/ledger.js';
import { issueIsolatedToken } from '../load/isolated-token.js';
import { type LogoutReceiver, logoutReceiver } from '../load/logout-receiver.js';
import { notifiedClient } from '../load/notified-client.js';
import { redisUrl, startRedisUnderFault } from '../processes/redis.js';
import { startService } from '../processes/service.js';
import { type Installation, ISSUER } from '../test-environment/installation.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import { freshMasterToken, masterSettings } from '../traffic/master-token.js';
import { bearerJson, FORM, formOf } from '../traffic/traffic.js';
import { until } from '../until.js';
import { BACKUPS, type Original } from './backups.js';
import { ledgerResult } from './ledger-result.js';
import type { Trial, TrialResult } from './trial.js';

const TOKENS = 20;
const LOGOUTS = 30;
const LIFETIME_SECONDS = 3_600;
const PATIENCE_MS = 30_000;
const CLIENT = JSON.stringify({ redirect_uris: ['https://client.example/callback'] });

/** The database is backed up while in use, and everything restarts on the restored copy. */
export const RESTORES: readonly Trial[] = BACKUPS.map(({ id, what, open }) => ({
  id,
  title: `services start on ${what} taken while in use, and an empty Redis`,
  run: (testEnvironment) =>
    closing(async (toEnd) => restore(testEnvironment, await open(testEnvironment, toEnd), toEnd)),
}));

async function restore({ redis }: TestEnvironment, original: Original, toEnd: Closers): Promise<TrialResult> {
  const { installation } = original;
  const receiver = await logoutReceiver(0);
  toEnd.add(receiver.close);
  const ledger = openLedger();
  const environment = {
    ...installation.environment,
    ...masterSettings(freshMasterToken()),
    EGRESS_ALLOW_HOSTS: `127.0.0.1:${receiver.port}`,
  };
  const before = { ...environment, DATABASE_URL: original.url };
  const old = await openServices({ ...before, REDIS_URL: redisUrl(redis.port) }, toEnd);
  const facts = await makeFacts(installation, old, { ledger, receiver });
  const begunAt = performance.now();
  const restoredUrl = await original.restore();
  const copyMs = performance.now() - begunAt;
  const empty = await startRedisUnderFault();
  toEnd.add(empty.stop);
  const after = { ...environment, DATABASE_URL: restoredUrl };
  const services = await openServices({ ...after, REDIS_URL: redisUrl(empty.port) }, toEnd);
  await checkFacts(facts, services, { ledger, installation });
  const logout = await startService({ name: 'logout', environment: after });
  toEnd.add(logout.stop);
  const missing = () =>
    facts.sids.filter((sid) => !receiver.received.some((token) => token.sid === sid)).length;
  await until(async () => missing() === 0, PATIENCE_MS).catch(() => undefined);
  return ledgerResult(ledger, {
    remarks: [
      `${2 * TOKENS} live, ${2 * TOKENS} revoked and ${TOKENS} used tokens`,
      `${facts.sids.length} notifications were waiting`,
      `backed up and restored in ${Math.round(copyMs)} ms`,
    ],
    problems: missing() > 0 ? [`${missing()} clients were never notified`] : [],
  });
}

interface Services {
  readonly introspection: Gateway;
  readonly registration: Gateway;
}

async function openServices(
  environment: Readonly<Record<string, string>>,
  toEnd: Closers,
): Promise<Services> {
  const start = async (name: string) => {
    const service = await startService({ name, environment });
    toEnd.add(service.stop);
    const gateway = await openGateway([service]);
    toEnd.add(gateway.close);
    return gateway;
  };
  return { introspection: await start('introspection'), registration: await start('registration') };
}

/** What must hold before and after a backup. */
interface Facts {
  readonly active: readonly string[];
  readonly inactive: readonly string[];
  readonly consumed: string;
  readonly unused: string;
  readonly sids: readonly string[];
}

async function makeFacts(
  installation: Installation,
  services: Services,
  { ledger, receiver }: { readonly ledger: Ledger; readonly receiver: LogoutReceiver },
): Promise<Facts> {
  const issue = (format: 'identifier' | 'jwt') =>
    Promise.all(
      Array.from({ length: TOKENS }, () => issueIsolatedToken(installation, format, LIFETIME_SECONDS)),
    );
  const live = [...(await issue('identifier')), ...(await issue('jwt'))];
  const revoked = [...(await issue('identifier')), ...(await issue('jwt'))];
  const used = await issue('identifier');
  const [consumed, unused] = [await initialToken(installation), await initialToken(installation)];
  const send = senderOf(ledger, services, installation);
  for (const { token } of [...live, ...revoked]) await send.introspect({ token }, true);
  for (const { name } of revoked)
    await installation.pool.query(`UPDATE client SET status = 'pending' WHERE id = $1`, [name]);
  for (const { token } of used) await send.introspect({ token, revoke: 'true' }, true);
  await send.register(consumed, 200);
  const clientId = await notifiedClient(installation, receiver.port);
  const logins = await Promise.all(
    Array.from({ length: LOGOUTS }, () =>
      logIn(installation.store, (session) => [{ clientId, sid: `sid-${session}` }]),
    ),
  );
  const { sessions } = installation.store.database.providerRecords;
  for (const { id } of logins) await sessions.end(id, nowSeconds(systemClock));
  return {
    active: live.map(({ token }) => token),
    inactive: [...revoked, ...used].map(({ token }) => token),
    consumed,
    unused,
    sids: logins.map(({ id }) => `sid-${id}`),
  };
}

async function checkFacts(
  { active, inactive, consumed, unused }: Facts,
  services: Services,
  { ledger, installation }: { readonly ledger: Ledger; readonly installation: Installation },
): Promise<void> {
  const send = senderOf(ledger, services, installation);
  for (const token of active) await send.introspect({ token }, true);
  for (const token of inactive) await send.introspect({ token }, false);
  await send.register(consumed, 401);
  await send.register(unused, 200);
}

function senderOf(
  ledger: Ledger,
  { introspection, registration }: Services,
  { resourceServer }: Installation,
) {
  const counted = async (request: Promise<unknown>) => {
    await request.catch((error: unknown) => {
      if (!(error instanceof UnexpectedResponse)) throw error;
    });
  };
  return {
    introspect: (form: Readonly<Record<string, string>>, isActive: boolean) => {
      const headers = { authorization: resourceServer.authorization, ...FORM };
      const exchange = { method: 'POST', path: '/token/introspect', headers, body: formOf(form) } as const;
      const isRight = (body: string) => body.startsWith(`{"active":${isActive}`);
      return counted(ledger.send(introspection, exchange, { status: 200, isRight }));
    },
    register: (token: string, status: number) => {
      const exchange = {
        method: 'POST',
        path: '/clients',
        headers: bearerJson(token),
        body: CLIENT,
      } as const;
      return counted(ledger.send(registration, exchange, { status }));
    },
  };
}

async function initialToken({ store }: Installation): Promise<string> {
  const scope = parseScope('client-reg');
  if (scope === undefined) throw new TypeError('invalid name or scope of a token');
  const deps = {
    clock: systemClock,
    issuer: parseIssuer(ISSUER),
    random: secureRandom,
    digester: store.digester,
    initialAccessTokens: store.database.initialAccessTokens,
    tokenLength: 43,
    keys: store.providerKeys,
    algorithm: 'ES256' as const,
  };
  return (await issueInitialAccessToken(deps, { scope, lifetimeSeconds: LIFETIME_SECONDS })).accessToken;
}
