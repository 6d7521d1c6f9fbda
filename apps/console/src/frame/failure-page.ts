import { databaseFault, isStatementTimeout, StoreNotOpenError } from '@vestibule/database';
import type { Request } from '@vestibule/http';
import { hiddenFields, html, type Markup } from '@vestibule/http/pages';
import { DomainError, type ErrorCode, ThrottledError } from '@vestibule/protocol';
import type { ConsoleSession, ConsoleSessions } from '../login/console-sessions.js';
import type { ConsolePage } from './console-route.js';
import { type Frame, layout, type SentPage } from './layout.js';
import { addressOf } from './request-context.js';

/** What failed. */
export interface FailedRequest {
  /** Path and query. */
  readonly address: string;
  /**
   * The form of an action, whose page offers to send it again, so that nothing typed is lost. Absent for forms with a
   * secret: no page repeats it.
   */
  readonly form?: Readonly<Record<string, unknown>> | undefined;
}

const STATUS: { readonly [Code in ErrorCode]?: readonly [status: number, title: string] } = {
  invalid_token: [401, 'You are logged out'],
  access_denied: [403, 'Not permitted'],
  not_found: [404, 'There is no such page'],
  method_not_allowed: [405, 'This is not possible'],
  precondition_failed: [409, 'It has changed in the meantime'],
  too_many_requests: [429, 'Too many requests'],
};

/** Renders a failure that has a reason, or an unavailable database; `undefined` for all other faults. */
export function failurePage(error: unknown, failed: FailedRequest): ConsolePage | undefined {
  const unavailability = databaseUnavailability(error);
  if (unavailability !== undefined) return unavailablePage(unavailability, failed);
  if (!(error instanceof DomainError) || error.code === 'server_error') return undefined;
  if (error.code === 'invalid_token') return loggedOutPage(failed);
  const [status, title] = STATUS[error.code] ?? [400, 'This is not possible'];
  return {
    status,
    title,
    content: html`<p role="alert">${error.description}</p>
<p><a href="/">Go to the overview</a></p>`,
  };
}

/** A request whose failure is shown. */
export interface ShownRequest {
  readonly frame: Frame;
  /** Path and query. */
  readonly address: string;
  /** What the page of a failure may repeat. */
  readonly form?: Readonly<Record<string, unknown>>;
}

/**
 * Shows failures that have a reason, and unreachable stores, as pages.
 * @throws faults of the program
 */
export async function shown<Result>(
  { frame, address, form }: ShownRequest,
  respond: () => Promise<Result>,
): Promise<Result | SentPage> {
  try {
    return await respond();
  } catch (error) {
    const page = failurePage(error, { address, form });
    if (page === undefined) throw error;
    const sent = layout(frame, page);
    if (!(error instanceof ThrottledError)) return sent;
    return { ...sent, headers: { ...sent.headers, 'retry-after': String(error.retryAfterSeconds) } };
  }
}

/** Finds the session of a request, or the page to show while that is not possible. */
export function findSession(
  { sessions }: { readonly sessions: ConsoleSessions },
  request: Request,
  repeated: Pick<ShownRequest, 'form'> = {},
): Promise<{ readonly session: ConsoleSession | undefined } | SentPage> {
  const shownRequest = { frame: addressOf(request), address: request.url, ...repeated };
  return shown(shownRequest, async () => ({ session: await sessions.find(request) }));
}

/** Says that the database cannot be used at the moment, if that is what an error means. */
export function databaseUnavailability(error: unknown): string | undefined {
  if (error instanceof StoreNotOpenError || databaseFault(error) === 'unreachable')
    return 'The database cannot be reached';
  return isStatementTimeout(error) ? 'The database did not respond in time' : undefined;
}

function unavailablePage(title: string, failed: FailedRequest): ConsolePage {
  return {
    status: 503,
    title,
    content: html`<p role="alert">The console works again as soon as the database does.</p>
${again(failed)}`,
  };
}

/**
 * Renders a fault without its reason, which only the log has. It repeats nothing of the request.
 * @param reference the identifier of the request in the log
 */
export function faultPage(reference?: string): ConsolePage {
  return {
    status: 500,
    title: 'Something went wrong',
    content: html`<p role="alert">The console could not finish this request. Look at the current state before you try again.</p>
${reference === undefined ? undefined : html`<p>The log has the cause under this <code>requestId</code>: <code>${reference}</code></p>\n`}<p><a href="/">Go to the overview</a></p>`,
  };
}

function loggedOutPage({ address, form }: FailedRequest): ConsolePage {
  return {
    status: 401,
    title: 'You are logged out',
    content: html`<p role="alert">Nothing was changed. Log in in another tab; then send the form again.</p>
<p><a href="/login" target="_blank" rel="noopener">Log in</a></p>
${form === undefined ? undefined : sendForm(address, form, 'Send the form again')}`,
  };
}

/**
 * Renders the response to a form of a page that was opened before the latest login: it offers to send the form again, now
 * as a form of this session.
 * @param form with the form token of this session
 */
export function earlierFormPage(address: string, form: Readonly<Record<string, unknown>>): ConsolePage {
  return {
    status: 403,
    title: 'You have logged in again since',
    content: html`<p role="alert">Nothing was changed: the page of this form was opened before the latest login.</p>
${sendForm(address, form, 'Send the form again')}`,
  };
}

/** Offers the same request again: an action with all that was typed. */
function again({ address, form }: FailedRequest): Markup {
  return form === undefined
    ? html`<p><a href="${address}">Try again</a></p>`
    : sendForm(address, form, 'Try again');
}

function sendForm(address: string, form: Readonly<Record<string, unknown>>, button: string): Markup {
  const fields = Object.fromEntries(Object.entries(form).map(([name, value]) => [name, String(value)]));
  return html`<form method="post" action="${address}">
${hiddenFields(fields)}<div class="actions"><button>${button}</button></div>
</form>`;
}
