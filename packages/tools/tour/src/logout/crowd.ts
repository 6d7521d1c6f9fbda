import type { BrowserContext } from 'playwright-core';
import { membersOf, type ToldFetch, toldFetch } from '../print/told-fetch.js';
import type { Stack } from '../stack/stack.js';
import { initialAccessToken, member, type RegisteredClient, register, text } from '../story/register.js';
import { ensure } from '../tour-error.js';
import type { LogoutStage } from './logout-story.js';

const CLIENTS = 60;
/** The most front-channel clients on a page. */
const WITH_FRONT_CHANNEL = 50;

/**
 * Signs out of a session of many clients, one of whose front channels does not respond, and measures how long the
 * browser stays. Single requests are not printed. @throws TourError
 */
export async function tellOfCrowd(stack: Stack, stage: LogoutStage): Promise<void> {
  const { browser, narrator, a, b } = stage;
  narrator.chapter(`Logging out of ${CLIENTS} applications, one of which does not answer`);
  const told = toldFetch('operator', narrator);
  const session = await narrator.asBefore(async () =>
    openSession(stack, await registerCrowd(stack, stage, told), told),
  );
  const context = await browser.newContext({ locale: 'en-GB' });
  await context.addCookies([{ ...session.cookie, url: stack.baseUrl, sameSite: 'Lax' }]);
  const before = a.told.length;
  b.hang(true);
  const { completeMs, backMs } = await logOut(context, stack, {
    hint: session.idToken,
    back: a.loggedOutUri,
  });
  b.hang(false);
  const shown = a.told.length - before;
  ensure(shown === WITH_FRONT_CHANNEL - 1, `${shown} applications were told by the browser.`);
  await context.close();
  narrator.proved(`${shown} applications were told in frames, and one did not answer.`);
  narrator.measured(`logging out of ${CLIENTS} applications, until the page was complete`, completeMs);
  narrator.measured(`logging out of ${CLIENTS} applications, until the browser was back`, backMs);
  narrator.proved(`The page said so after ${Math.ceil(completeMs)} ms; it waits for three seconds.`);
  narrator.proved(`The browser was back at the application after ${Math.ceil(backMs)} ms.`);
}

/** All with their front channel at A, except the second, which has it at B, and those beyond the limit of a page. */
async function registerCrowd(
  stack: Stack,
  { a, b }: LogoutStage,
  told: ToldFetch,
): Promise<readonly RegisteredClient[]> {
  const token = await initialAccessToken(stack, CLIENTS, told);
  const clients: RegisteredClient[] = [];
  for (let index = 0; index < CLIENTS; index += 1) {
    const { redirectUri, loggedOutUri, frontchannelUri } = index === 1 ? b : a;
    const metadata = {
      client_name: `Application ${index + 1}`,
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [loggedOutUri],
      ...(index < WITH_FRONT_CHANNEL && { frontchannel_logout_uri: frontchannelUri }),
    };
    clients.push(await register(stack, token, metadata, told));
  }
  return clients;
}

interface CrowdedSession {
  readonly cookie: { readonly name: string; readonly value: string };
  /** Of the first client. */
  readonly idToken: string;
}

/** A session of alice at all of these clients, as after that many sign-ins. */
async function openSession(
  { baseUrl, masterToken }: Stack,
  clients: readonly RegisteredClient[],
  told: ToldFetch,
): Promise<CrowdedSession> {
  const ask = async (path: string, body: object) => {
    const response = await told(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${masterToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    ensure(response.status === 200, `${path} was answered with ${response.status}.`);
    return membersOf(await response.text());
  };
  const [{ id: clientId } = { id: '' }] = clients;
  const opened = await ask('/direct-authz/sessions', {
    sub: 'alice',
    client_ids: clients.map(({ id }) => id),
  });
  const known = member(member(opened, 'clients'), clientId);
  const issued = await ask('/direct-authz', {
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
interface Stay {
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
): Promise<Stay> {
  const page = await context.newPage();
  const query = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: back });
  await page.goto(`${baseUrl}/logout?${query}`);
  const seen = { at: Number.POSITIVE_INFINITY };
  // The results are visible for seconds only: the page itself has to report when.
  await page.exposeFunction('silentSeen', () => {
    seen.at = Math.min(seen.at, performance.now());
  });
  await page.addInitScript(watchForSilent);
  const since = performance.now();
  await page.locator('button[value=accept]').click();
  await page.waitForURL(back);
  ensure(Number.isFinite(seen.at), 'The page did not say that an application was not reached.');
  return { completeMs: seen.at - since, backMs: performance.now() - since };
}

/** Runs in a page: reports when a client whose page was loaded is marked as not reached. */
function watchForSilent(): void {
  const look = () => {
    if (document.querySelector('#clients li:not([data-frame=""]) .failed') !== null)
      Reflect.get(globalThis, 'silentSeen')();
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
}
