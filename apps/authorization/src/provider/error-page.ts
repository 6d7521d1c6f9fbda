import type { ClientStatus } from '@vestibule/clients';
import { isClientExpired } from '@vestibule/clients/management';
import { METADATA_DOCUMENT } from '@vestibule/clients/metadata-documents';
import { html } from '@vestibule/http/pages';
import { type ClientId, nowSeconds, parseClientId, preferredMediaType } from '@vestibule/protocol';
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

type ErrorPageDeps = Pick<ProviderDeps, 'clients' | 'clock' | 'documents' | 'issuer' | 'openScopes'>;

/** The library's names of the endpoints that people open in a browser. */
const OPENED_BY_PEOPLE: ReadonlySet<string | undefined> = new Set(['authorization', 'resume']);

/**
 * The error page: what to do, what went wrong, and a link to the home page of a known client. Endpoints for programs
 * respond in JSON whatever the request accepts (RFC 6749 section 5.2): programs on Java's `HttpURLConnection` list
 * `text/html` first without reading it. The authorization endpoint responds in JSON to a program that prefers it: one that
 * finds out whether its client still exists before it opens a browser.
 */
export function errorPage(deps: ErrorPageDeps) {
  const { clients } = deps;
  return async (ctx: ProviderContext, libraryError: RequestError): Promise<void> => {
    if (!OPENED_BY_PEOPLE.has(ctx.oidc?.route)) {
      ctx.body = libraryError;
      return;
    }
    const requestError = await describedError(deps, ctx, libraryError);
    ctx.vary('Accept');
    if (prefersJson(ctx)) {
      ctx.body = requestError;
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

/**
 * Says why a client cannot take part: it waits for approval, is suspended or is not registered. Anyone who knows its
 * identifier, which is public, may know that; endpoints at which clients authenticate do not say it. Where anyone may
 * register, an unregistered client is told where.
 */
async function describedError(
  deps: ErrorPageDeps,
  { oidc }: ProviderContext,
  requestError: RequestError,
): Promise<RequestError> {
  if (requestError.error !== 'invalid_client' || oidc?.client !== undefined) return requestError;
  const id = parseClientId(oidc?.params?.['client_id']);
  const status = id && (await statusOf(deps, id).catch(() => 'unavailable' as const));
  if (status === 'pending' || status === 'suspended')
    return { ...requestError, error_description: INACTIVE[status] };
  // It may be registered after all: the store is not available, or an operator approved it in the meantime.
  if (status !== undefined) return requestError;
  // Such a client cannot register. The sentence of the refusal of its document says why it is unknown.
  if (deps.documents !== undefined && id !== undefined && isNamedByUrl(id)) return requestError;
  const unknown = { ...requestError, error_description: 'client_id: no client is registered with it' };
  return deps.openScopes === undefined
    ? unknown
    : { ...unknown, registration_endpoint: registrationEndpoint(deps.issuer) };
}

const INACTIVE = {
  pending: 'client_id: the client waits for approval by an operator',
  suspended: 'client_id: an operator suspended the client',
};

/** An expired client is unknown, and so is one that a document registered while documents are off. */
async function statusOf(
  { clients, documents, clock }: Pick<ProviderDeps, 'clients' | 'documents' | 'clock'>,
  id: ClientId,
): Promise<ClientStatus | undefined> {
  const client = await clients.find(id);
  if (client === undefined || isClientExpired(client, nowSeconds(clock))) return undefined;
  return client.origin === METADATA_DOCUMENT && documents === undefined ? undefined : client.status;
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
