import { type Client, findActiveClient } from '@vestibule/clients';
import { type IdTokenHint, type IdTokenHintDeps, readIdTokenHint } from './id-token-hint.js';
import type { LogoutRequest } from './logout-request.js';
import type { LogoutSession } from './logout-sessions.js';
import { postLogoutRedirect } from './post-logout-redirect.js';

/** Dependencies of {@link evaluateLogout}. */
export interface EvaluationDeps extends IdTokenHintDeps {
  /**
   * Whether `client_id` without a hint allows a redirect to a registered address. By default (logout/API.md#logout) it
   * does not.
   */
  readonly redirectsWithoutHint: boolean;
  /**
   * The pairwise `sub` by which a client knows an end-user; `undefined` if it has none. Without this port, a hint of
   * such a client without `sid` counts as one for another session.
   */
  readonly pairwiseSubject?: (client: Client, subject: string) => Promise<string | undefined>;
}

/** An evaluated logout request. Nothing has changed yet. */
export type LogoutCase = {
  readonly request: LogoutRequest;
  /** The session of this browser, if there is one. */
  readonly session: LogoutSession | undefined;
} & EvaluatedHint &
  EvaluatedRedirect;

/**
 * How the hint relates to the session of this browser, and the requesting client. Only a valid hint proves the client;
 * `client_id` alone proves nothing.
 *
 * - `none`, `invalid`: there is no valid hint
 * - `this_session`, `another_session`: the hint is for the session of this browser, or for another one
 * - `no_session`: the browser has no session
 */
export type EvaluatedHint =
  | { readonly hint: 'none' | 'invalid'; readonly client: undefined }
  | { readonly hint: HintRelation; readonly client: Client };

type HintRelation = 'this_session' | 'another_session' | 'no_session';

/** Where the browser goes afterwards, or why it does not go to the requested address. */
export type EvaluatedRedirect =
  /** An address that the client registered. */
  | { readonly redirect: string; readonly redirectRefusal?: never }
  /** Without a refusal, no address is requested. */
  | { readonly redirect: undefined; readonly redirectRefusal?: RedirectRefusal };

/**
 * Why a `post_logout_redirect_uri` is refused: the client did not register it, or the request does not prove its
 * client.
 */
export type RedirectRefusal = 'not_registered' | 'unproven_client';

/**
 * Evaluates a logout request (logout/API.md#logout, OpenID Connect RP-Initiated Logout 1.0). A hint proves the requesting
 * client and names the end-user. Without a hint anyone may have written the `client_id`: it identifies no client, and
 * at most allows a registered redirect. After an invalid hint the other parameters are ignored.
 */
export async function evaluateLogout(
  deps: EvaluationDeps,
  request: LogoutRequest,
  session: LogoutSession | undefined,
): Promise<LogoutCase> {
  const { id_token_hint: token, client_id: clientId, post_logout_redirect_uri: uri, state } = request;
  const evaluated = { request, session };
  if (token === undefined) {
    const named = deps.redirectsWithoutHint && uri ? await findActiveClient(deps, clientId) : undefined;
    return { ...evaluated, hint: 'none', client: undefined, ...redirectOf(named, uri, state) };
  }
  const candidates = session?.clients.map((member) => member.clientId) ?? [];
  const hint = await readIdTokenHint(deps, { token, clientId, candidates });
  if (hint === undefined)
    return { ...evaluated, hint: 'invalid', client: undefined, ...redirectOf(undefined, uri, state) };
  const status = await hintStatusOf(deps, hint, session);
  return { ...evaluated, hint: status, client: hint.client, ...redirectOf(hint.client, uri, state) };
}

function redirectOf(
  client: Client | undefined,
  uri: string | undefined,
  state: string | undefined,
): EvaluatedRedirect {
  if (uri === undefined) return { redirect: undefined };
  if (client === undefined) return { redirect: undefined, redirectRefusal: 'unproven_client' };
  const redirect = postLogoutRedirect(client, uri, state);
  return redirect === undefined ? { redirect, redirectRefusal: 'not_registered' } : { redirect };
}

/** A hint with `sid` is compared by session, one without by end-user. */
async function hintStatusOf(
  deps: EvaluationDeps,
  { client, subject, sid }: IdTokenHint,
  session: LogoutSession | undefined,
): Promise<HintRelation> {
  if (session === undefined) return 'no_session';
  const member = session.clients.find(({ clientId }) => clientId === client.id);
  const isThis =
    sid === undefined
      ? subject === (await subjectFor(deps, client, session.subject))
      : sid === member?.sid || sid === session.id;
  return isThis ? 'this_session' : 'another_session';
}

async function subjectFor(
  deps: EvaluationDeps,
  client: Client,
  subject: string,
): Promise<string | undefined> {
  return client.metadata.subject_type === 'pairwise' ? deps.pairwiseSubject?.(client, subject) : subject;
}
