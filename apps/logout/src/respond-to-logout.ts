import {
  decideLogout,
  issueConfirmation,
  issueReceipt,
  judgeLogout,
  type LogoutCase,
  type LogoutDecision,
  type LogoutOutcome,
  type LogoutRequest,
  type LogoutSession,
  redeemConfirmation,
} from '@vestibule/logout';
import type { RenderedPage } from '@vestibule/service-kit/pages';
import type { LogoutServiceDeps } from './deps.js';
import { continuePage } from './pages/continue-page.js';
import { outcomePage } from './pages/outcome-page.js';
import { type QuestionParts, questionPage } from './pages/question-page.js';
import type { LogoutLocale } from './pages/sentences.js';
import { refusedRedirect } from './refused-redirect.js';

/** What the endpoint answers: a page, or the way to the client. */
export interface LogoutResponse {
  readonly page?: RenderedPage;
  /** Where the browser is sent; absent with a page. */
  readonly location?: string;
  /** Whether the login in this browser is over. */
  readonly isOver: boolean;
}

/** A request, and the browser that it came from. */
export interface Visit {
  readonly request: LogoutRequest;
  readonly locale: LogoutLocale;
  /** The login in the browser, asked anew each time. */
  readonly session: () => Promise<LogoutSession | undefined>;
}

/** What an end-user answered. */
export interface GivenAnswer {
  readonly confirmation: string;
  readonly decision: LogoutDecision;
}

/**
 * Asks the end-user; where nobody is logged in there is nothing to ask. Nothing changes, unless an operator lets this
 * client log out without an answer.
 */
export async function askEndUser(
  deps: LogoutServiceDeps,
  visit: Visit,
  reason?: NonNullable<QuestionParts['reason']>,
): Promise<LogoutResponse> {
  const { request, locale } = visit;
  const session = await visit.session();
  const judged = await judgeLogout(deps, request, session);
  const refused = refusedRedirect(judged);
  if (refused !== undefined) deps.onRedirectRefused?.(refused);
  if (session === undefined) return finished(deps, visit, judged, { kind: 'gone' });
  if (needsNoAnswer(deps, judged))
    return finished(deps, visit, judged, await decideLogout(deps, { ...judged, session }, 'accept'));
  const confirmation = issueConfirmation(deps, { session, request });
  const account = await deps.accountName(session.subject);
  const parts = { confirmation, account, ...(reason !== undefined && { reason }) };
  return { page: questionPage(deps.pages, locale, judged, parts), isOver: false };
}

/** A verified hint for this very login proves what a client asks for; that it is enough is for the operator to say. */
function needsNoAnswer({ skipsConsent }: LogoutServiceDeps, { hint, client }: LogoutCase): boolean {
  return hint === 'this_login' && client !== undefined && skipsConsent.has(client.id);
}

/** A page that sends the same request once more, from here. Nothing changes. */
export async function sendFromHere(
  deps: LogoutServiceDeps,
  { request, locale }: Visit,
): Promise<LogoutResponse> {
  const judged = await judgeLogout(deps, request, undefined);
  return { page: continuePage(deps.pages, locale, judged), isOver: false };
}

/**
 * Carries out what the end-user answered, once; an answer that is worth nothing leads to the question again.
 * @throws DomainError `server_error` when it cannot be told whether the answer was given before
 */
export async function takeAnswer(
  deps: LogoutServiceDeps,
  visit: Visit,
  { confirmation, decision }: GivenAnswer,
): Promise<LogoutResponse> {
  const { request } = visit;
  const session = await visit.session();
  const judged = await judgeLogout(deps, request, session);
  if (session === undefined) return finished(deps, visit, judged, { kind: 'gone' });
  const standing = await redeemConfirmation(deps, confirmation, { session, request });
  if (standing !== 'fresh')
    return askEndUser(deps, visit, standing === 'used' ? 'answeredBefore' : 'questionChanged');
  const outcome = await decideLogout(deps, { ...judged, session }, decision);
  return finished(deps, visit, judged, outcome);
}

/** The browser goes on at once unless there are pages of clients to load, or nowhere to go. */
function finished(
  deps: LogoutServiceDeps,
  { locale }: Visit,
  judged: LogoutCase,
  outcome: LogoutOutcome,
): LogoutResponse {
  const isOver = outcome.kind === 'ended' || outcome.kind === 'gone';
  const clients = 'clients' in outcome ? outcome.clients : [];
  const hasFrontchannel = clients.some(({ metadata }) => metadata.frontchannel_logout_uri !== undefined);
  if (judged.redirect !== undefined && !hasFrontchannel) return { location: judged.redirect, isOver };
  const queued = clients.flatMap(({ deliveryId }) => deliveryId ?? []);
  const receipt = queued.length === 0 ? undefined : issueReceipt(deps, queued);
  return {
    page: outcomePage(deps.pages, locale, judged, { kind: outcome.kind, clients, receipt }),
    isOver,
  };
}
