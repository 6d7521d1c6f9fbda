import { constantTimeEquals, sha256 } from '@vestibule/crypto';
import type { Request } from '@vestibule/http';
import { DomainError } from '@vestibule/protocol';
import type { ConsoleSession } from '../login/console-sessions.js';
import type { ConsoleRoutesDeps } from './console-routes-deps.js';
import { FORM_TOKEN } from './forms.js';

type Origin = Pick<ConsoleRoutesDeps, 'origin'>;
type Form = Readonly<Record<string, unknown>>;

/** Whether the browser says that a page of the console sent a form. */
export function isFromConsole({ origin }: Origin, { headers }: Request): boolean {
  return headers.origin === origin && headers['sec-fetch-site'] === 'same-origin';
}

/** Whether a form has the form token of this session or of another one; absent if it has none. */
export function formTokenOf(
  { formToken }: Pick<ConsoleSession, 'formToken'>,
  form: Form,
): 'own' | 'other' | undefined {
  const given = form[FORM_TOKEN];
  if (typeof given !== 'string') return undefined;
  return constantTimeEquals(sha256(given), sha256(formToken)) ? 'own' : 'other';
}

/**
 * Checks that a form comes from a page of this session (RFC 9700 section 4.7 has the same for clients): its token, and
 * what browsers say about its origin.
 * @throws DomainError `access_denied`
 */
export function requireOwnForm(
  { origin }: Origin,
  session: Pick<ConsoleSession, 'formToken'>,
  { request, form }: { readonly request: Request; readonly form: Form },
): void {
  const { origin: from = origin, 'sec-fetch-site': site = 'same-origin' } = request.headers;
  if (formTokenOf(session, form) !== 'own' || from !== origin || site !== 'same-origin')
    throw new DomainError('access_denied', 'The form is not one of this session: open its page again.');
}
