import { databaseFault, StoreNotOpenError } from '@vestibule/database';
import { hiddenFields, html, type Markup } from '@vestibule/http/pages';
import { DomainError, type ErrorCode } from '@vestibule/protocol';
import { UncheckedSessionError } from '../login/unchecked-session.js';
import type { ConsolePage } from './console-route.js';

/** What failed. */
export interface FailedRequest {
  readonly path: string;
  /** The form of an action. Its page offers to send it again, so that nothing typed is lost. */
  readonly form?: Readonly<Record<string, unknown>> | undefined;
}

const STATUS: { readonly [Code in ErrorCode]?: readonly [status: number, title: string] } = {
  invalid_token: [401, 'You are logged out'],
  access_denied: [403, 'Not permitted'],
  not_found: [404, 'There is no such page'],
  precondition_failed: [409, 'It has changed in the meantime'],
  too_many_requests: [429, 'Too many requests'],
};

/** Renders a failure that has a reason, or an unreachable database; `undefined` for faults of the program. */
export function failurePage(error: unknown, failed: FailedRequest): ConsolePage | undefined {
  if (isUnavailable(error)) return unreachablePage(failed);
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

/** Whether the store, or its keys, cannot be used at the moment. */
function isUnavailable(error: unknown): boolean {
  return (
    error instanceof UncheckedSessionError ||
    error instanceof StoreNotOpenError ||
    databaseFault(error) === 'unreachable'
  );
}

function unreachablePage(failed: FailedRequest): ConsolePage {
  return {
    status: 503,
    title: 'The database cannot be reached',
    content: html`<p role="alert">The console works again as soon as the database does.</p>
${again(failed)}`,
  };
}

function loggedOutPage({ path }: FailedRequest): ConsolePage {
  return {
    status: 401,
    title: 'You are logged out',
    content: html`<p role="alert">Nothing was changed. Log in in another tab; then go back here, and send the form again.</p>
<p><a href="/login?to=${encodeURIComponent(path)}" target="_blank" rel="noopener">Log in</a></p>`,
  };
}

/** Offers the same request again: an action with all that was typed. */
function again({ path, form }: FailedRequest): Markup {
  if (form === undefined) return html`<p><a href="${path}">Try again</a></p>`;
  const fields = Object.fromEntries(Object.entries(form).map(([name, value]) => [name, String(value)]));
  return html`<form method="post" action="${path}">
${hiddenFields(fields)}<div class="actions"><button>Try again</button></div>
</form>`;
}
