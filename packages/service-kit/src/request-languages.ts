import type { LanguageRequest } from './error-table.js';
import type { Request } from './fastify-types.js';

/**
 * What a request says of languages, also one that could not be read otherwise: the first `ui_locales` of its query, or
 * the one of its form.
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
