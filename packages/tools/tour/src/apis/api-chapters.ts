import { setTimeout as pause } from 'node:timers/promises';
import { type Closers, freePort } from '@vestibule/local-services';
import { type BrowserTools, logInWithSession } from '../clients/log-in.js';
import { initialAccessToken, register } from '../clients/register.js';
import type { RegisteredApplication } from '../clients/registered-application.js';
import { membersOf, printedFetch } from '../print/printed-fetch.js';
import type { Stack } from '../stack/stack.js';
import { ensure } from '../tour-error.js';
import { openExpressApi } from './express-api.js';
import { openFastifyApi } from './fastify-api.js';
import { openGatewayApi } from './gateway-api.js';
import { hasNginx } from './nginx.js';
import type { OpenApi, ProtectedApi } from './protected-api.js';

type NamedApi = readonly [name: string, open: OpenApi];

/** The APIs of the tour. Each uses another introspection instance, as far as there are several. */
const APIS: readonly NamedApi[] = [
  ['Express API', openExpressApi],
  ['Fastify API', openFastifyApi],
];
/** Needs nginx. */
const GATEWAY_API: NamedApi = ['API behind nginx', openGatewayApi];

const NO_NGINX = '\nThe API behind nginx is skipped, because nginx is not installed.';

/** How long an API may accept a token after the response to the logout, in milliseconds. */
const BOUND_MS = 1_000;
const POLL_MS = 2;
const CALLS = 500;

/** What the chapters use. */
export interface ApiEnvironment extends BrowserTools {
  readonly a: RegisteredApplication;
}

/**
 * The chapters about APIs that cache tokens and follow the stream of changes, by themselves or behind a gateway: a login,
 * calls, and a logout that ends them. They leave the browser logged out. Without nginx, a notice says what is skipped.
 * @throws TourError when a check fails
 */
export async function runApiChapters(
  stack: Stack,
  environment: ApiEnvironment,
  toEnd: Closers,
): Promise<void> {
  const { reporter, a } = environment;
  reporter.chapter('A calls APIs that accept Alice’s access token from the cache');
  if (!hasNginx()) reporter.notice(NO_NGINX);
  const apis = await openApis(stack, environment, toEnd);
  const { access_token: token, id_token: hint = '' } = await logInWithSession(environment, a.application, {
    isConsentRequired: false,
  });
  for (const api of apis) await checkApi(stack, environment, { api, token });

  reporter.chapter('Alice logs out, and every API refuses her token');
  await logOut(stack, environment, { apis, token, hint });
}

async function openApis(
  stack: Stack,
  { reporter }: ApiEnvironment,
  toEnd: Closers,
): Promise<readonly ProtectedApi[]> {
  const { baseUrl: issuer, introspection } = stack;
  const opened = hasNginx() ? [...APIS, GATEWAY_API] : APIS;
  const initial = await initialAccessToken(stack, opened.length, printedFetch('operator', reporter));
  const apis: ProtectedApi[] = [];
  for (const [name, open] of opened) {
    const metadata = {
      client_name: name,
      grant_types: ['client_credentials'],
      scope: `${issuer}/token/introspect`,
    };
    const client = await register(stack, initial, metadata, printedFetch(name, reporter));
    const instance = introspection[apis.length % introspection.length] ?? issuer;
    apis.push(await open({ name, port: await freePort(), issuer, instance, client }, toEnd));
  }
  reporter.passed(`${apis.length} APIs are registered and listen.`);
  return apis;
}

interface ApiCheck {
  readonly api: ProtectedApi;
  readonly token: string;
}

async function checkApi(
  { baseUrl }: Stack,
  { reporter }: ApiEnvironment,
  { api, token }: ApiCheck,
): Promise<void> {
  const { name, address } = api;
  const send = printedFetch('Application A', reporter);
  const bearer = { headers: { authorization: `Bearer ${token}` } };

  const refused = await send(`${address}/reports`);
  const metadataUrl = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1];
  ensure(
    refused.status === 401 && metadataUrl !== undefined,
    `The ${name} accepts a request without a token.`,
  );
  const metadata = membersOf(await (await send(metadataUrl)).text());
  ensure(
    metadata['resource'] === address && String(metadata['authorization_servers']) === baseUrl,
    `The metadata of the ${name} names another resource or authorization server.`,
  );
  reporter.passed(`The ${name} refuses a request without a token, and says whose tokens it accepts.`);

  const claimed = { headers: { ...bearer.headers, 'x-token-subject': 'mallory' } };
  const accepted = await send(`${address}/reports`, claimed);
  ensure(accepted.status === 200, `The ${name} refuses Alice’s token with ${accepted.status}.`);
  ensure(
    membersOf(await accepted.text())['sub'] === 'alice',
    `The ${name} takes the token for another user’s.`,
  );
  const lacking = await send(`${address}/archive`, bearer);
  ensure(lacking.status === 403, `The ${name} does not require a scope that the token lacks.`);
  reporter.passed(`The ${name} accepts Alice’s token, except for a scope that it lacks.`);

  const before = api.cacheHits?.();
  const medianMs = await medianOfCalls(`${address}/reports`, bearer);
  const cacheHits = (api.cacheHits?.() ?? 0) - (before ?? 0);
  ensure(before === undefined || cacheHits > CALLS / 2, `The ${name} introspects a token that it may cache.`);
  const fromCache = before === undefined ? '' : `, ${cacheHits} of them without an introspection request`;
  reporter.passed(
    `${CALLS} more calls of the ${name} take ${medianMs.toFixed(2)} ms each (median)${fromCache}.`,
  );
}

async function medianOfCalls(address: string, bearer: RequestInit): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    const startedAtMs = performance.now();
    const response = await fetch(address, bearer);
    await response.arrayBuffer();
    ensure(response.status === 200, `${address} refuses a live token with ${response.status}.`);
    times.push(performance.now() - startedAtMs);
  }
  return times.toSorted((one, other) => one - other)[CALLS / 2] ?? 0;
}

interface Logout {
  readonly apis: readonly ProtectedApi[];
  readonly token: string;
  /** The ID token of the login. */
  readonly hint: string;
}

/** Alice logs out in the browser while her token is presented to the APIs without a pause. */
async function logOut(
  { baseUrl }: Stack,
  { page, reporter, a }: ApiEnvironment,
  { apis, token, hint }: Logout,
): Promise<void> {
  const { loggedOutUri } = a.application;
  const query = { id_token_hint: hint, post_logout_redirect_uri: loggedOutUri, state: 's' };
  await page.goto(`${baseUrl}/logout?${new URLSearchParams(query)}`);
  let loggedOutAtMs = Number.POSITIVE_INFINITY;
  const refusals = Promise.all(
    apis.map(({ name, address }) =>
      refusedAtMs(`${address}/reports`, token, (nowMs) => {
        const isLate = nowMs - loggedOutAtMs > BOUND_MS;
        ensure(!isLate, `The ${name} still accepts the token ${BOUND_MS} ms after the logout.`);
      }),
    ),
  );
  refusals.catch(() => undefined);
  const confirmed = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().startsWith(`${baseUrl}/logout`),
  );
  const clickedAtMs = performance.now();
  await page.locator('button[value=accept]').click();
  await confirmed;
  loggedOutAtMs = performance.now();
  for (const [index, refusedMs] of (await refusals).entries()) {
    const name = apis[index]?.name ?? '';
    const [sinceClick, sinceResponse] = [refusedMs - clickedAtMs, Math.max(0, refusedMs - loggedOutAtMs)];
    reporter.passed(
      `The ${name} refuses the token ${Math.ceil(sinceClick)} ms after the button was pressed, and ` +
        `${Math.ceil(sinceResponse)} ms after the response to the logout (limit ${BOUND_MS} ms).`,
    );
    reporter.measured(`logging out, until the ${name} refused the token`, sinceClick);
  }
  await page.waitForURL(/logged-out/);
}

/** Presents a token to an API until it is refused. @returns when the refused request was sent */
async function refusedAtMs(address: string, token: string, check: (nowMs: number) => void): Promise<number> {
  for (;;) {
    const sentAtMs = performance.now();
    const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    if (response.status === 401) {
      const isInvalid = response.headers.get('www-authenticate')?.includes('error="invalid_token"');
      ensure(isInvalid === true, `${address} refuses the token for another reason.`);
      return sentAtMs;
    }
    ensure(response.status === 200, `${address} responded with ${response.status}.`);
    check(sentAtMs);
    await pause(POLL_MS);
  }
}
