import { foreignSql } from '@vestibule/local-services/testing';
import * as openid from 'openid-client';
import { expect, it, vi } from 'vitest';
import { introspect, registerResourceServer } from './support/api.js';
import { REDIRECT_URI, registerPublished } from './support/code-flow.js';
import { twoInstances } from './support/two-instances.js';
import { openWebBrowser } from './support/web-browser.js';

const PARALLEL = 100;
/** As many uses can be at the database at once. */
const CONNECTIONS = 2 * 10;

it('gives tokens to exactly one of 100 parallel uses of one code at two instances, all of which found it unused', async () => {
  const { stack, databaseUrl } = await twoInstances({ DATABASE_POOL_SIZE: String(CONNECTIONS / 2) });
  const server = await registerResourceServer(stack);
  const client = await registerPublished(stack, { scope: 'openid email read' });
  const verifier = openid.randomPKCECodeVerifier();
  const address = openid.buildAuthorizationUrl(client, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid read',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const landed = await openWebBrowser(stack.baseUrl).logIn(address.href);

  // Whoever wants to use the code up waits here, with the code found and unused, until all are there that can be.
  const [holder, observer] = [await foreignSql(databaseUrl), await foreignSql(databaseUrl)];
  await holder('BEGIN');
  const held = await holder(`SELECT FROM artifact WHERE kind = 'AuthorizationCode' FOR UPDATE`);
  expect(held).toHaveLength(1);
  const grant = () => openid.authorizationCodeGrant(client, landed, { pkceCodeVerifier: verifier });
  const uses = Promise.allSettled(Array.from({ length: PARALLEL }, grant));
  await vi.waitUntil(
    async () => {
      const waiting = await observer(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length === CONNECTIONS;
    },
    { timeout: 50_000 },
  );
  await holder('COMMIT');

  const outcomes = await uses;
  const given = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(given).toHaveLength(1);
  expect(refused.map(({ error }) => error)).toEqual(Array(PARALLEL - 1).fill('invalid_grant'));
  // A code that comes again may be stolen: what it gave ends with it (RFC 6749 section 4.1.2).
  const token = String(given[0]?.access_token);
  expect(await introspect(stack, server, { token })).toEqual({ active: false });
});
