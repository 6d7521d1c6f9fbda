import type { LanguageRequest } from '../errors/error-table.js';
import type { Request } from './fastify-types.js';

/**
 * Reads the language preferences of a request, even if the rest of it is invalid: the first `ui_locales` of the query,
 * or the one of the form.
 */
export function languagesOf({ raw, body, headers }: Request): LanguageRequest {
  const [, query = ''] = (raw.url ?? '').split('?', 2);
  const uiLocales = new URLSearchParams(query).get('ui_locales') ?? memberOf(body);
  return { uiLocales, acceptLanguage: headers['accept-language'] };
}

function memberOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('ui_locales' in body)) return undefined;
  return typeof body.ui_locales === 'string' ? body.ui_locales : undefined;
}
