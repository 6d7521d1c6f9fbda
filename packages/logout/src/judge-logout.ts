import { type Client, findActiveClient } from '@vestibule/clients';
import { type IdTokenHint, type IdTokenHintDeps, readIdTokenHint } from './id-token-hint.js';
import type { LogoutRequest } from './logout-request.js';
import type { LogoutSession } from './logout-sessions.js';
import { postLogoutRedirect } from './post-logout-redirect.js';

/** What judging a logout request takes. */
export interface JudgeDeps extends IdTokenHintDeps {
  /** Whether `client_id` alone is enough to be sent back to a registered address. logout/API.md#logout: it is not. */
  readonly redirectsWithoutHint: boolean;
  /**
   * The name by which a client with pairwise subjects knows an end-user; `undefined` when it knows none. Without it a
   * hint of such a client that names no session counts as one about another login.
   */
  readonly pairwiseSubject?: (client: Client, subject: string) => Promise<string | undefined>;
}

/**
 * What a hint says of the login in this browser: none came, it is not one of ours, it is about this login, about
 * another one, or nobody is logged in.
 */
export type HintStanding = 'none' | 'bad' | 'this_login' | 'another_login' | 'no_login';

/** A logout request, judged. Nothing has changed yet. */
export interface LogoutCase {
  readonly request: LogoutRequest;
  /** The login in this browser, if there is one. */
  readonly session: LogoutSession | undefined;
  readonly hint: HintStanding;
  /** The client that asks, proven by the hint; `client_id` alone proves nothing. */
  readonly client: Client | undefined;
  /** Where the browser goes in the end; only ever an address that the client registered. */
  readonly redirect: string | undefined;
  /** Why the browser will not go to the address that the request names; absent where it will, or none is named. */
  readonly redirectRefusal?: RedirectRefusal;
}

/**
 * Why a `post_logout_redirect_uri` leads nowhere: the client did not register it, or the request does not prove which
 * client asks.
 */
export type RedirectRefusal = 'not_registered' | 'unproven_client';

/**
 * Judges a logout request (logout/API.md#logout, OpenID Connect RP-Initiated Logout 1.0). A hint proves which client
 * asks and names the end-user. Without a hint anyone may have written the `client_id`: it identifies no client, and
 * at most allows a registered redirect. After a bad hint the other parameters are ignored.
 */
export async function judgeLogout(
  deps: JudgeDeps,
  request: LogoutRequest,
  session: LogoutSession | undefined,
): Promise<LogoutCase> {
  const { id_token_hint: token, client_id: clientId, post_logout_redirect_uri: uri, state } = request;
  const judged = { request, session };
  if (token === undefined) {
    const named = deps.redirectsWithoutHint && uri ? await findActiveClient(deps, clientId) : undefined;
    return { ...judged, hint: 'none', client: undefined, ...redirectOf(named, uri, state) };
  }
  const candidates = session?.clients.map((member) => member.clientId) ?? [];
  const hint = await readIdTokenHint(deps, { token, clientId, candidates });
  if (hint === undefined)
    return { ...judged, hint: 'bad', client: undefined, ...redirectOf(undefined, uri, state) };
  const standing = await standingOf(deps, hint, session);
  return { ...judged, hint: standing, client: hint.client, ...redirectOf(hint.client, uri, state) };
}

function redirectOf(
  client: Client | undefined,
  uri: string | undefined,
  state: string | undefined,
): Pick<LogoutCase, 'redirect' | 'redirectRefusal'> {
  if (uri === undefined) return { redirect: undefined };
  if (client === undefined) return { redirect: undefined, redirectRefusal: 'unproven_client' };
  const redirect = postLogoutRedirect(client, uri, state);
  return redirect === undefined ? { redirect, redirectRefusal: 'not_registered' } : { redirect };
}

/** The session that the client knows counts where it was told one; else the end-user. */
async function standingOf(
  deps: JudgeDeps,
  { client, subject, sid }: IdTokenHint,
  session: LogoutSession | undefined,
): Promise<HintStanding> {
  if (session === undefined) return 'no_login';
  const member = session.clients.find(({ clientId }) => clientId === client.id);
  const isThis =
    sid === undefined
      ? subject === (await subjectFor(deps, client, session.subject))
      : sid === member?.sid || sid === session.id;
  return isThis ? 'this_login' : 'another_login';
}

async function subjectFor(deps: JudgeDeps, client: Client, subject: string): Promise<string | undefined> {
  return client.metadata.subject_type === 'pairwise' ? deps.pairwiseSubject?.(client, subject) : subject;
}
