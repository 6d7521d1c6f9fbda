import { html } from '@vestibule/http/pages';
import { parseClientId, preferredMediaType } from '@vestibule/protocol';
import { MEDIA_TYPE, registrationEndpoint } from '@vestibule/protocol/constants';
import { clientAddress, clientName } from '@vestibule/service';
import type { ProviderContext } from 'oidc-provider';
import { localeOf, page, sentences } from '../pages/page.js';
import { isNamedByUrl } from './document-clients.js';
import type { ProviderDeps } from './provider-deps.js';

/** The library's error for an authorization request that cannot be redirected to its client. */
interface RequestError {
  readonly error: string;
  readonly error_description?: string;
  /** Only where anyone may register a client. */
  readonly registration_endpoint?: string;
}

/** The library's names of the endpoints that people open in a browser. */
const OPENED_BY_PEOPLE: ReadonlySet<string | undefined> = new Set(['authorization', 'resume']);

/**
 * The error page: what to do, what went wrong, and a link to the home page of a known client. Endpoints for programs
 * respond in JSON whatever the request accepts (RFC 6749 section 5.2): programs on Java's `HttpURLConnection` list
 * `text/html` first without reading it. The authorization endpoint responds in JSON to a program that prefers it: one that
 * finds out whether its client still exists before it opens a browser.
 */
export function errorPage(deps: Pick<ProviderDeps, 'clients' | 'documents' | 'issuer' | 'openScopes'>) {
  const { clients } = deps;
  return async (ctx: ProviderContext, requestError: RequestError): Promise<void> => {
    if (!OPENED_BY_PEOPLE.has(ctx.oidc?.route)) {
      ctx.body = requestError;
      return;
    }
    ctx.vary('Accept');
    if (prefersJson(ctx)) {
      ctx.body = isUnknownClient(deps, ctx, requestError) ? unknownClient(deps, requestError) : requestError;
      return;
    }
    const { error, error_description: description } = requestError;
    const locale = localeOf({ uiLocales: uiLocalesOf(ctx), acceptLanguage: ctx.get('accept-language') });
    const clientId = parseClientId(ctx.oidc?.client?.clientId);
    const metadata = (clientId && (await clients.find(clientId).catch(() => undefined)))?.metadata ?? {};
    const sentence = sentences(locale, { client: clientName(metadata, locale) });
    const home = clientAddress(metadata, 'client_uri', locale);
    const { policy, content } = page(locale, {
      title: sentence('errorTitle'),
      content: html`<p role="alert">${sentence(failureOf(ctx.status))}</p>
${home === undefined ? undefined : html`<p><a href="${home}" rel="noreferrer">${sentence('goOn')}</a></p>`}
<p>${sentence('details')}</p>
<p class="code" dir="ltr" lang="en">${error}</p>
${description === undefined ? undefined : html`<p dir="ltr" lang="en">${description}</p>`}`,
    });
    ctx.type = 'html';
    ctx.set('content-security-policy', policy);
    ctx.body = content;
  };
}

/** A request without a preference gets the page. */
function prefersJson(ctx: ProviderContext): boolean {
  return preferredMediaType(ctx.get('accept'), [MEDIA_TYPE.html, MEDIA_TYPE.json]) === MEDIA_TYPE.json;
}

/** A client with the URL of a document cannot register; the sentence of its refusal says why it is unknown. */
function isUnknownClient(
  { documents }: Pick<ProviderDeps, 'documents'>,
  { oidc }: ProviderContext,
  { error }: RequestError,
): boolean {
  if (error !== 'invalid_client' || oidc?.client !== undefined) return false;
  const id = oidc?.params?.['client_id'];
  return documents === undefined || typeof id !== 'string' || !isNamedByUrl(id);
}

/** Tells a program that its client is unknown, and where to register it if anyone may. */
function unknownClient(
  { issuer, openScopes }: Pick<ProviderDeps, 'issuer' | 'openScopes'>,
  requestError: RequestError,
): RequestError {
  const unknown = { ...requestError, error_description: 'client_id: no client is registered with it' };
  return openScopes === undefined
    ? unknown
    : { ...unknown, registration_endpoint: registrationEndpoint(issuer) };
}

function failureOf(status: number): 'fault' | 'tooManyRequests' | 'badRequest' {
  if (status >= 500) return 'fault';
  return status === 429 ? 'tooManyRequests' : 'badRequest';
}

/** Also for a request that the library has not parsed. */
function uiLocalesOf({ oidc, req }: ProviderContext): string | undefined {
  const [, query = ''] = (req.url ?? '').split('?', 2);
  const uiLocales = oidc?.params?.['ui_locales'] ?? new URLSearchParams(query).get('ui_locales');
  return typeof uiLocales === 'string' ? uiLocales : undefined;
}
