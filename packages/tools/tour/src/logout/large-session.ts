import type { BrowserContext } from 'playwright-core';
import { initialAccessToken, member, type RegisteredClient, register, text } from '../clients/register.js';
import { membersOf, type PrintedFetch, printedFetch } from '../print/printed-fetch.js';
import type { Stack } from '../stack/stack.js';
import { ensure } from '../tour-error.js';
import type { LogoutEnvironment } from './logout-chapters.js';

const CLIENTS = 60;
/** The most front-channel clients on a page. */
const WITH_FRONT_CHANNEL = 50;

/**
 * Signs out of a session of many clients, one of whose front channels does not respond, and measures how long the
 * browser stays. Registrations are not printed. @throws TourError
 */
export async function runLargeSessionChapter(stack: Stack, environment: LogoutEnvironment): Promise<void> {
  const { browser, reporter, a, b } = environment;
  reporter.chapter(`Alice logs out of ${CLIENTS} applications, one of which does not respond`);
  const send = printedFetch('operator', reporter);
  const session = await reporter.repeat(async () =>
    openSession(stack, await registerClients(stack, environment, send), send),
  );
  const context = await browser.newContext({ locale: 'en-GB' });
  await context.addCookies([{ ...session.cookie, url: stack.baseUrl, sameSite: 'Lax' }]);
  const before = a.frontchannelRequests.length;
  b.hang(true);
  const { completeMs, backMs } = await logOut(context, stack, {
    hint: session.idToken,
    back: a.loggedOutUri,
  });
  b.hang(false);
  const shown = a.frontchannelRequests.length - before;
  ensure(shown === WITH_FRONT_CHANNEL - 1, `${shown} applications were notified by the browser.`);
  await context.close();
  reporter.passed(`${shown} applications were notified in frames; one did not respond.`);
  reporter.measured(`logging out of ${CLIENTS} applications, until the page was complete`, completeMs);
  reporter.measured(`logging out of ${CLIENTS} applications, until the browser was redirected back`, backMs);
  reporter.passed(
    `The page showed the result of every application after ${Math.ceil(completeMs)} ms (it waits at most three seconds).`,
  );
  reporter.passed(`The browser returned to the application after ${Math.ceil(backMs)} ms.`);
}

/** Registers clients with a front-channel logout URI at A, one at B, and the ones above the limit of a page without one. */
async function registerClients(
  stack: Stack,
  { a, b }: LogoutEnvironment,
  send: PrintedFetch,
): Promise<readonly RegisteredClient[]> {
  const token = await initialAccessToken(stack, CLIENTS, send);
  const clients: RegisteredClient[] = [];
  for (let index = 0; index < CLIENTS; index += 1) {
    const { redirectUri, loggedOutUri, frontchannelUri } = index === 1 ? b : a;
    const metadata = {
      client_name: `Application ${index + 1}`,
      application_type: 'web',
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [loggedOutUri],
      ...(index < WITH_FRONT_CHANNEL && { frontchannel_logout_uri: frontchannelUri }),
    };
    clients.push(await register(stack, token, metadata, send));
  }
  return clients;
}

interface LargeSession {
  readonly cookie: { readonly name: string; readonly value: string };
  /** Of the first client. */
  readonly idToken: string;
}

/** A session of alice at all of these clients, as after that many sign-ins. */
async function openSession(
  { baseUrl, masterToken }: Stack,
  clients: readonly RegisteredClient[],
  send: PrintedFetch,
): Promise<LargeSession> {
  const post = async (path: string, body: object) => {
    const response = await send(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${masterToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    ensure(response.status === 200, `POST ${path} returned ${response.status}.`);
    return membersOf(await response.text());
  };
  const [{ id: clientId } = { id: '' }] = clients;
  const opened = await post('/direct-authz/sessions', {
    sub: 'alice',
    client_ids: clients.map(({ id }) => id),
  });
  const known = member(member(opened, 'clients'), clientId);
  const issued = await post('/direct-authz', {
    client_id: clientId,
    sub: 'alice',
    scope: 'openid',
    sid: text(known, 'sid'),
  });
  const cookie = member(opened, 'cookie');
  return {
    cookie: { name: text(cookie, 'name'), value: text(cookie, 'value') },
    idToken: text(issued, 'id_token'),
  };
}

/** Durations since the end-user's confirmation, in milliseconds. */
interface LogoutTimes {
  /** Until the page showed the client that did not respond. */
  readonly completeMs: number;
  /** Until the browser was redirected back. */
  readonly backMs: number;
}

/** Signs out in a browser. */
async function logOut(
  context: BrowserContext,
  { baseUrl }: Stack,
  { hint, back }: { readonly hint: string; readonly back: string },
): Promise<LogoutTimes> {
  const page = await context.newPage();
  const query = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: back });
  await page.goto(`${baseUrl}/logout?${query}`);
  const shown = { at: Number.POSITIVE_INFINITY };
  // The results are visible for a few seconds only, so the page itself reports when they appear.
  await page.exposeFunction('unreachableShown', () => {
    shown.at = Math.min(shown.at, performance.now());
  });
  await page.addInitScript(reportUnreachable);
  const since = performance.now();
  await page.locator('button[value=accept]').click();
  await page.waitForURL(back);
  ensure(Number.isFinite(shown.at), 'The page did not show that an application could not be reached.');
  return { completeMs: shown.at - since, backMs: performance.now() - since };
}

/** Runs in a page: reports when a client whose page was loaded is marked as not reached. */
function reportUnreachable(): void {
  const report = () => {
    if (document.querySelector('#clients li:not([data-frame=""]) .failed') !== null)
      Reflect.get(globalThis, 'unreachableShown')();
  };
  new MutationObserver(report).observe(document, { subtree: true, childList: true, attributes: true });
}
