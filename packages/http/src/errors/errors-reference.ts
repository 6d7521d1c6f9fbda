import { DomainError, ERROR_CODES, type ErrorCode } from '@vestibule/protocol';
import { type ErrorTable, presenterOf } from './error-table.js';

/** Description of when each error of a route group occurs. Codes without one are left out of the table. */
export type ErrorOccasions = Readonly<Partial<Record<ErrorCode, string>>>;

/** Headers that a hook or the failure itself adds to a response. */
const OWN_HEADERS: Partial<Record<ErrorCode, string>> = {
  method_not_allowed: '`Allow`',
  too_many_requests: '`Retry-After`',
};

/** Renders the errors of a route group as a Markdown table for a README, by status, and in the order of the codes. */
export function errorsReference(errors: ErrorTable, occasions: ErrorOccasions): string {
  const rows = ERROR_CODES.flatMap((code) => {
    const occasion = occasions[code];
    return occasion === undefined ? [] : [errorRow(errors, code, occasion)];
  });
  const texts = rows.toSorted((a, b) => a.status - b.status).map(({ text }) => text);
  return ['| status | body | headers | when |', '|---|---|---|---|', ...texts, ''].join('\n');
}

function errorRow(errors: ErrorTable, code: ErrorCode, occasion: string) {
  const { status, body, headers = {} } = presenterOf(errors, code)(new DomainError(code, '…'));
  const error = bodyOf(body, headers['content-type']);
  const challenge = headers['www-authenticate']?.replace(
    /error_description="[^"]*"/,
    'error_description="…"',
  );
  const shown = challenge === undefined ? '' : `\`WWW-Authenticate: ${challenge}\``;
  return { status, text: `| ${status} | ${error} | ${OWN_HEADERS[code] ?? shown} | ${occasion} |` };
}

function bodyOf(body: string | undefined, contentType: string | undefined): string {
  if (body === undefined) return 'empty';
  return contentType?.startsWith('text/html') ? 'page' : `JSON, \`error\` = \`${JSON.parse(body).error}\``;
}
