import { parseClientId, parseIssuer, systemClock } from '@vestibule/protocol';
import { logIn } from '@vestibule/testkit/logins';
import { issueIdToken } from '@vestibule/tokens/issuing';
import type { RequestSource } from '../load/load-result.js';
import { rawRequest } from '../load/raw-request.js';
import type { RawResponse } from '../load/response-reader.js';
import { type Installation, ISSUER } from './installation.js';

/** A client sends a signed-in end-user to the logout page. */
export interface LogoutVisit {
  readonly cookie: string;
  readonly idToken: string;
}

/** The post-logout redirect URI of the clients of {@link openLogoutVisits}. */
export const LOGGED_OUT = 'https://app.example/logged-out';

const LIFETIME_SECONDS = 3_600;

/** Signs end-users in at all of these clients; the first client sends them to log out. */
export async function openLogoutVisits(
  { store }: Installation,
  clientIds: readonly string[],
  count: number,
): Promise<readonly LogoutVisit[]> {
  const issuing = { clock: systemClock, issuer: parseIssuer(ISSUER), keys: store.providerKeys };
  const clientId = parseClientId(clientIds[0] ?? '');
  if (clientId === undefined) throw new TypeError('there is no client');
  const visits: LogoutVisit[] = [];
  for (let index = 0; index < count; index += 1) {
    const { id, cookie } = await logIn(store, (session) =>
      clientIds.map((client) => ({ clientId: client, sid: `${client} ${session}` })),
    );
    const idToken = await issueIdToken(issuing, {
      clientId,
      subject: 'alice',
      lifetimeSeconds: LIFETIME_SECONDS,
      algorithm: 'RS256',
      sessionId: `${clientId} ${id}`,
    });
    visits.push({ cookie, idToken });
  }
  return visits;
}

/** Requests the logout page for one visit after the other, and confirms each as soon as the page has arrived. */
export function logoutConversation(visits: readonly LogoutVisit[]): RequestSource {
  const responses: string[] = [];
  let sent = 0;
  const nextVisit = () => {
    const visit = visits[sent];
    if (visit === undefined) throw new RangeError('no session is left');
    sent += 1;
    return rawRequest({
      method: 'GET',
      path: `/logout?${parametersOf(visit, sent - 1)}`,
      headers: { cookie: visit.cookie },
    });
  };
  return {
    next: () => responses.shift() ?? nextVisit(),
    onResponse: (page) => {
      if (page.status !== 200) throw new Error(`the logout page responded with ${page.status}: ${page.body}`);
      if (fieldOf(page, 'confirmation') !== undefined) responses.push(acceptance(page, visits));
      else if (!page.body.includes('<iframe')) throw new Error(`a page notifies no client: ${page.body}`);
    },
  };
}

/** `state` identifies the visit in the returned page. */
function parametersOf({ idToken }: LogoutVisit, index: number): URLSearchParams {
  return new URLSearchParams({
    id_token_hint: idToken,
    post_logout_redirect_uri: LOGGED_OUT,
    state: String(index),
  });
}

/** The form that a browser sends when the end-user confirms the page. */
function acceptance(page: RawResponse, visits: readonly LogoutVisit[]): string {
  const index = Number(fieldOf(page, 'state'));
  const visit = visits[index];
  if (visit === undefined) throw new Error('a page has no state');
  const form = parametersOf(visit, index);
  form.set('confirmation', fieldOf(page, 'confirmation') ?? '');
  form.set('decision', 'accept');
  const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie: visit.cookie };
  return rawRequest({ method: 'POST', path: '/logout', headers, body: form.toString() });
}

function fieldOf({ body }: RawResponse, name: string): string | undefined {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1];
}
