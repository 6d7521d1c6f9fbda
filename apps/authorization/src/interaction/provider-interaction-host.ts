import { METADATA_DOCUMENT } from '@vestibule/clients/metadata-documents';
import { nowSeconds, parseClientId } from '@vestibule/protocol';
import { isJsonObject } from '@vestibule/protocol/json';
import type { Provider, ProviderInteraction, ProviderSession } from 'oidc-provider';
import { findResource, type ResourceDeps } from '../find-resource.js';
import { OPENID_SCOPES } from '../provider/claims.js';
import type { ProviderDeps } from '../provider/provider-deps.js';
import type { ProviderHost } from '../provider/provider-host.js';
import { newGrant } from '../provider/remembered-consent.js';
import type {
  InteractionClient,
  InteractionExchange,
  InteractionHost,
  InteractionResource,
  PendingInteraction,
} from './interaction-host.js';

/** Implements the port of the pages with the interactions of node-oidc-provider. */
export function providerInteractionHost(
  { current }: ProviderHost,
  deps: Pick<ProviderDeps, 'records' | 'clock' | 'clients' | 'issuer'>,
): InteractionHost {
  const { records, clock, clients } = deps;
  const finish = (provider: Provider, { request, reply }: InteractionExchange, result: object) =>
    provider.interactionResult(request.raw, reply.raw, result);
  return {
    pending: async (exchange) => {
      const provider = await current();
      const details = await find(provider, exchange);
      if (details === undefined) return undefined;
      const client = await clientOf(provider, clients, details);
      return client && pendingOf(details, client, await resourcesOf(deps, details));
    },
    login: async (exchange, { authenticatedAt, ...login }) => {
      const provider = await current();
      const details = await required(provider, exchange);
      // Another page of this browser may have logged an end-user in since this one was opened.
      const { uid, accountId: present } = await sessionOf(provider, exchange);
      if (present !== undefined && present !== login.accountId) {
        await records.sessions.end(uid, nowSeconds(clock));
        details.session = undefined;
        await details.persist();
      }
      const time = authenticatedAt === undefined ? {} : { ts: authenticatedAt };
      return finish(provider, exchange, { login: { ...login, ...time } });
    },
    consent: async (exchange) => {
      const provider = await current();
      const details = await required(provider, exchange);
      return finish(provider, exchange, { consent: { grantId: await grant(provider, details) } });
    },
    refuse: async (exchange) => {
      const provider = await current();
      return finish(provider, exchange, {
        error: 'access_denied',
        error_description: 'the end-user refused the request',
      });
    },
  };
}

async function find(
  provider: Provider,
  { request, reply }: InteractionExchange,
): Promise<ProviderInteraction | undefined> {
  const details = await provider.interactionDetails(request.raw, reply.raw).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
    throw error;
  });
  // The cookie identifies the interaction of the browser; the path must name the same one.
  const { uid } = request.params as { readonly uid?: unknown };
  return details?.uid === uid ? details : undefined;
}

/** The current session of the browser, or a new one without an end-user. */
function sessionOf(provider: Provider, { request, reply }: InteractionExchange): Promise<ProviderSession> {
  return provider.Session.get(provider.createContext(request.raw, reply.raw));
}

async function required(provider: Provider, exchange: InteractionExchange): Promise<ProviderInteraction> {
  const details = await find(provider, exchange);
  if (details === undefined) throw new TypeError('a decision without its interaction');
  return details;
}

/**
 * The client as it is now; `undefined` if it was deleted, or removed the address to which the end-user was to return.
 */
async function clientOf(
  provider: Provider,
  clients: ProviderDeps['clients'],
  { params }: ProviderInteraction,
): Promise<InteractionClient | undefined> {
  const { client_id: id, redirect_uri: redirectUri } = params;
  const client = typeof id === 'string' ? await provider.Client.find(id) : undefined;
  const isAllowed = typeof redirectUri === 'string' && client?.redirectUriAllowed(redirectUri);
  if (client === undefined || !isAllowed) return undefined;
  const clientId = parseClientId(client.clientId);
  const registered = clientId && (await clients.find(clientId));
  const documentHost = registered?.origin === METADATA_DOCUMENT ? new URL(registered.id).host : undefined;
  return {
    id: client.clientId,
    metadata: registered?.metadata ?? {},
    redirectUri,
    ...(documentHost !== undefined && { documentHost }),
  };
}

/** The registered resource servers whose own scope values need consent. */
async function resourcesOf(
  deps: ResourceDeps,
  { prompt }: ProviderInteraction,
): Promise<readonly InteractionResource[]> {
  const resources: InteractionResource[] = [];
  for (const [name, values] of Object.entries(missingOf(prompt.details))) {
    const scopes = texts(values).filter((value) => !OPENID_SCOPES.includes(value));
    const resource = scopes.length === 0 ? undefined : await findResource(deps, name);
    if (resource === undefined) continue;
    const { audience: identifier, client } = resource;
    resources.push({ identifier, metadata: client.metadata, scopes });
  }
  return resources;
}

function pendingOf(
  { prompt, params, session }: ProviderInteraction,
  client: InteractionClient,
  resources: readonly InteractionResource[],
): PendingInteraction {
  const { login_hint: loginHint, ui_locales: uiLocales, acr_values: acrValues } = params;
  const maxAgeSeconds = maxAgeOf(params);
  return {
    prompt: prompt.name === 'login' ? 'login' : 'consent',
    client,
    scopes: [...new Set([...texts(prompt.details['missingOIDCScope']), ...resourceScopes(prompt.details)])],
    resources,
    claims: texts(prompt.details['missingOIDCClaims']),
    ...(session !== undefined && { accountId: session.accountId }),
    ...(typeof loginHint === 'string' && { loginHint }),
    ...(maxAgeSeconds !== undefined && { maxAgeSeconds }),
    ...(typeof acrValues === 'string' && { acrValues }),
    ...(typeof uiLocales === 'string' && { uiLocales }),
  };
}

/** OpenID Connect Core section 3.1.2.1. The library keeps `max_age` as a number. */
function maxAgeOf({ prompt, max_age: maxAge }: ProviderInteraction['params']): number | undefined {
  if (typeof prompt === 'string' && prompt.split(' ').includes('login')) return 0;
  return maxAge === undefined ? undefined : Number(maxAge);
}

/** Adds what is missing to the existing grant, or to a new one. */
async function grant(
  provider: Provider,
  { grantId, session, params, prompt: { details } }: ProviderInteraction,
): Promise<string> {
  const { client_id: clientId } = params;
  if (session === undefined || typeof clientId !== 'string') throw new TypeError('a consent without a login');
  const { accountId } = session;
  const present = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const wanted = present ?? newGrant(provider, { accountId, clientId }, details);
  const scopes = texts(details['missingOIDCScope']);
  const claims = texts(details['missingOIDCClaims']);
  if (scopes.length > 0) wanted.addOIDCScope(scopes.join(' '));
  if (claims.length > 0) wanted.addOIDCClaims(claims);
  for (const [resource, values] of Object.entries(missingOf(details)))
    wanted.addResourceScope(resource, texts(values).join(' '));
  return wanted.save();
}

function missingOf(details: ProviderInteraction['prompt']['details']): Record<string, unknown> {
  const missing = details['missingResourceScopes'];
  return isJsonObject(missing) ? missing : {};
}

function resourceScopes(details: ProviderInteraction['prompt']['details']): readonly string[] {
  return Object.values(missingOf(details)).flatMap(texts);
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
