import type { Request } from '@vestibule/http';
import type { RenderedPage } from '@vestibule/http/pages';
import {
  decideLogout,
  evaluateLogout,
  issueConfirmation,
  issueReceipt,
  type LogoutCase,
  type LogoutDecision,
  type LogoutOutcome,
  type LogoutRequest,
  redeemConfirmation,
} from '@vestibule/logout';
import type { LogoutServiceDeps } from './deps.js';
import { type ConfirmationPageParts, confirmationPage } from './pages/confirmation-page.js';
import { continuePage } from './pages/continue-page.js';
import { outcomePage } from './pages/outcome-page.js';
import type { LogoutLocale } from './pages/sentences.js';
import { refusedRedirect } from './refused-redirect.js';

/** The response of the endpoint: a page, or a redirect to the client. */
export type LogoutResponse = ({ readonly page: RenderedPage } | { readonly location: string }) & {
  /** Whether the session of this browser has ended. */
  readonly isOver: boolean;
};

/** A logout request and the browser that it came from. */
export interface Visit {
  readonly request: LogoutRequest;
  readonly locale: LogoutLocale;
  /** The HTTP request, by which the session of the browser is found. */
  readonly message: Request;
}

/** The decision that an end-user posted. */
export interface PostedDecision {
  readonly confirmation: string;
  readonly decision: LogoutDecision;
}

/**
 * Asks the end-user to confirm, unless the browser has no session. Changes nothing, unless an operator lets this client
 * log out without confirmation.
 */
export async function respondWithConfirmation(
  deps: LogoutServiceDeps,
  visit: Visit,
  reason?: NonNullable<ConfirmationPageParts['reason']>,
): Promise<LogoutResponse> {
  const { request, locale } = visit;
  const session = await deps.browserSessions.find(visit.message);
  const evaluated = await evaluateLogout(deps, request, session);
  const refused = refusedRedirect(evaluated);
  if (refused !== undefined) deps.onRedirectRefused?.(refused);
  if (session === undefined) return finished(deps, visit, evaluated, { kind: 'gone' });
  if (skipsConfirmation(deps, evaluated))
    return finished(deps, visit, evaluated, await decideLogout(deps, { ...evaluated, session }, 'accept'));
  const confirmation = issueConfirmation(deps, { session, request });
  const account = await deps.accountName(session.subject);
  const parts = { confirmation, account, ...(reason !== undefined && { reason }) };
  return { page: confirmationPage(deps.pages, locale, evaluated, parts), isOver: false };
}

/**
 * A verified hint for this session proves which client sends the request. Whether that is enough is the operator's
 * decision.
 */
function skipsConfirmation({ skipsConsent }: LogoutServiceDeps, { hint, client }: LogoutCase): boolean {
  return hint === 'this_session' && skipsConsent.has(client.id);
}

/** A page that posts the same request again from our own site. Nothing changes. */
export async function repostFromOwnSite(
  deps: LogoutServiceDeps,
  { request, locale }: Visit,
): Promise<LogoutResponse> {
  const evaluated = await evaluateLogout(deps, request, undefined);
  return { page: continuePage(deps.pages, locale, evaluated), isOver: false };
}

/**
 * Carries out the end-user's decision, once. An invalid or used confirmation leads to the confirmation page again.
 * @throws DomainError `server_error` if it is unknown whether the confirmation was used before
 */
export async function takeDecision(
  deps: LogoutServiceDeps,
  visit: Visit,
  { confirmation, decision }: PostedDecision,
): Promise<LogoutResponse> {
  const { request } = visit;
  const session = await deps.browserSessions.find(visit.message);
  const evaluated = await evaluateLogout(deps, request, session);
  if (session === undefined) return finished(deps, visit, evaluated, { kind: 'gone' });
  const status = await redeemConfirmation(deps, confirmation, { session, request });
  if (status !== 'fresh')
    return respondWithConfirmation(deps, visit, status === 'used' ? 'answeredBefore' : 'questionChanged');
  const outcome = await decideLogout(deps, { ...evaluated, session }, decision);
  return finished(deps, visit, evaluated, outcome);
}

/** Redirects at once, unless there are client pages to load or there is no address to go to. */
function finished(
  deps: LogoutServiceDeps,
  { locale }: Visit,
  evaluated: LogoutCase,
  outcome: LogoutOutcome,
): LogoutResponse {
  const isOver = outcome.kind === 'ended' || outcome.kind === 'gone';
  const clients = 'clients' in outcome ? outcome.clients : [];
  const hasFrontchannel = clients.some(({ metadata }) => metadata.frontchannel_logout_uri !== undefined);
  const redirect = nextAddress(deps, evaluated, outcome);
  const isShown = hasFrontchannel || (evaluated.redirect === undefined && clients.length > 0);
  if (redirect !== undefined && !isShown) return { location: redirect, isOver };
  const queued = clients.flatMap(({ deliveryId }) => deliveryId ?? []);
  const receipt = queued.length === 0 ? undefined : issueReceipt(deps, queued);
  return { page: outcomePage(deps.pages, locale, evaluated, { ...outcome, receipt, redirect }), isOver };
}

/** The address in the request; by way of the provider at which the end-user logged in, once the session has ended. */
function nextAddress(
  { upstreamLogout }: LogoutServiceDeps,
  { redirect }: LogoutCase,
  { kind }: LogoutOutcome,
): string | undefined {
  return kind === 'ended' && upstreamLogout !== undefined ? upstreamLogout(redirect) : redirect;
}
