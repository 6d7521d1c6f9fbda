import { foreignSql } from '@vestibule/local-services/testing';
import * as openid from 'openid-client';
import { expect, it, vi } from 'vitest';
import { introspect, registerResourceServer } from './support/api.js';
import { REDIRECT_URI, registerPublished } from './support/code-flow.js';
import { twoInstances } from './support/two-instances.js';
import { openWebBrowser } from './support/web-browser.js';

const PARALLEL = 100;
/** Number of uses that can reach the database in parallel. */
const CONNECTIONS = 2 * 10;

/** One code, and 100 parallel uses of it. */
async function useOneCode(
  client: openid.Configuration,
  browser: ReturnType<typeof openWebBrowser>,
  databaseUrl: string,
) {
  const verifier = openid.randomPKCECodeVerifier();
  const address = openid.buildAuthorizationUrl(client, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid read',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const landed = await browser.logIn(address.href);
  let hasEnded = false;
  const uses = (count: number) =>
    Array.from({ length: count }, () =>
      openid.authorizationCodeGrant(client, landed, { pkceCodeVerifier: verifier }).finally(() => {
        hasEnded = true;
      }),
    );

  // Each use waits here, having found the code unused, until as many as possible have arrived.
  const [holder, observer] = [await foreignSql(databaseUrl), await foreignSql(databaseUrl)];
  await holder('BEGIN');
  const held = await holder(
    `SELECT FROM artifact WHERE kind = 'AuthorizationCode' AND consumed_at IS NULL FOR UPDATE`,
  );
  expect(held).not.toEqual([]);
  const first = Promise.allSettled(uses(CONNECTIONS));
  const areAllThere = async () => {
    const waiting = await observer(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length === CONNECTIONS;
  };
  await vi.waitUntil(async () => hasEnded || (await areAllThere()), { timeout: 60_000, interval: 5 });
  const others = Promise.allSettled(uses(PARALLEL - CONNECTIONS));
  await holder('COMMIT');
  const foundItUnused = !hasEnded;
  const outcomes = [...(await first), ...(await others)];
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  return {
    /**
     * Whether as many uses as possible were at the database in parallel, and none waited longer than a service waits
     * for its database: on a busy machine some may.
     */
    isConclusive:
      foundItUnused && !refused.some(({ cause }) => cause instanceof Response && cause.status === 500),
    given: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])),
    refused,
  };
}

it('issues tokens for exactly one of 100 parallel uses of one code at two instances, all of which found it unused', async () => {
  const { stack, databaseUrl } = await twoInstances({ DATABASE_POOL_SIZE: String(CONNECTIONS / 2) });
  const server = await registerResourceServer(stack);
  const client = await registerPublished(stack, { scope: 'openid email read' });
  const browser = openWebBrowser(stack.baseUrl);
  for (;;) {
    const { isConclusive, given, refused } = await useOneCode(client, browser, databaseUrl);
    expect(given.length).toBeLessThanOrEqual(1);
    if (!isConclusive) continue;
    expect(given).toHaveLength(1);
    expect(refused.map(({ error }) => error)).toEqual(Array(PARALLEL - 1).fill('invalid_grant'));
    // A reused code may be stolen: its tokens are revoked (RFC 6749 section 4.1.2).
    const token = String(given[0]?.access_token);
    expect(await introspect(stack, server, { token })).toEqual({ active: false });
    return;
  }
});
