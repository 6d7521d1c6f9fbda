import { parseClientCertificate } from '@vestibule/client-auth/certificates';
import type { Client } from '@vestibule/clients';
import { isClientExpired } from '@vestibule/clients/management';
import { parseEntityId } from '@vestibule/federation';
import type { AutomaticRegistrationRequest } from '@vestibule/federation/clients';
import type { Adapter, AdapterFactory } from '@vestibule/oidc-provider-adapter';
import { type ClientId, nowSeconds, parseClientId } from '@vestibule/protocol';
import { refusalDelay } from '@vestibule/service/federation';
import { Provider, type ProviderContext } from 'oidc-provider';
import { type ClientCertificates, clientCertificates } from './client-certificates.js';
import { presentedError } from './presented-error.js';
import type { AutomaticClients, ProviderDeps } from './provider-deps.js';
import { networkOfRequest } from './stored-request-limit.js';

type AutomaticDeps = Pick<ProviderDeps, 'automatic' | 'blocks' | 'clients' | 'clock' | 'clientCertificate'>;

/**
 * Lets the library find federation entities that are not registered, or no longer, if their requests prove their
 * identity: they are registered when they are looked up (OpenID Federation 1.0 section 12.1). Without federation this
 * changes nothing.
 */
export function withAutomaticClients(factory: AdapterFactory, deps: AutomaticDeps): AdapterFactory {
  const { automatic } = deps;
  if (automatic === undefined) return factory;
  return (model) => {
    const adapter = factory(model);
    return model === 'Client' ? { ...adapter, find: finder(adapter, { ...deps, automatic }) } : adapter;
  };
}

type Finder = Adapter['find'];

function finder({ find }: Adapter, deps: AutomaticDeps & { readonly automatic: AutomaticClients }): Finder {
  const { automatic, blocks, clients, clock } = deps;
  const certificates = clientCertificates(deps);
  // If a request is refused, the library looks up its client once more.
  const attempts = new WeakMap<object, Promise<unknown>>();
  const attempt = (
    ctx: ProviderContext,
    registrationRequest: AutomaticRegistrationRequest,
  ): Promise<unknown> => {
    const delayed = refusalDelay();
    const begun = attempts.get(ctx) ?? automatic.register(registrationRequest).catch(delayed);
    attempts.set(ctx, begun);
    return begun;
  };
  return async (id) => {
    const { ctx } = Provider;
    const clientId = entityNamed(id, automatic);
    if (ctx === undefined || clientId === undefined) return find(id);
    const present = await clients.find(clientId);
    if (present !== undefined && !isClientExpired(present, nowSeconds(clock))) {
      automatic.renewWhenDue(present);
      return seenBy(ctx, present.origin, await find(id));
    }
    const isForeign = present !== undefined && present.federation === undefined;
    const registrationRequest = isForeign ? undefined : registrationRequestOf(ctx, id, certificates);
    // The chain of a blocked entity is not fetched.
    if (registrationRequest === undefined || (await blocks.isBlocked(clientId))) return undefined;
    try {
      await attempt(ctx, registrationRequest);
    } catch (error) {
      throw presentedError(ctx, error);
    }
    return seenBy(ctx, 'federation_automatic', await find(id));
  };
}

/** The client identifier of an entity; `undefined` for other identifiers. */
function entityNamed(id: string, { allowHosts }: AutomaticClients): ClientId | undefined {
  const clientId = parseClientId(id);
  return clientId && parseEntityId(clientId, allowHosts) && clientId;
}

/** The proof in a request; absent if it has none, or at an endpoint where entities may not register. */
function registrationRequestOf(
  { req, oidc: { route, params, body } }: ProviderContext,
  clientId: string,
  certificates: ClientCertificates,
): AutomaticRegistrationRequest | undefined {
  const from = { clientId, network: networkOfRequest(req) };
  const isPushed = route === PUSHED;
  if (route !== 'authorization' && !isPushed) return undefined;
  const assertion = isPushed ? parameter(body?.['client_assertion']) : undefined;
  if (typeof assertion === 'string') return { ...from, proof: 'client_assertion', token: assertion };
  const request = parameter((isPushed ? body : params)?.['request']);
  if (typeof request === 'string') return { ...from, proof: 'request_object', token: request };
  const presented = isPushed ? certificates.proved(req) : undefined;
  const certificate = presented && parseClientCertificate(presented.der, presented);
  return certificate && { ...from, proof: 'certificate', certificate };
}

const PUSHED = 'pushed_authorization_request';

/** An empty parameter counts as absent (RFC 6749 section 3.1). A repeated one is an array. */
function parameter(value: unknown): unknown {
  return value === '' ? undefined : value;
}

/**
 * A client that registered automatically authenticates when it pushes a request, and signs the requests that it does
 * not push. At the endpoint for pushed requests a signed request object alone is enough (OpenID Federation 1.0 section
 * 12.1.1.1.1). The library has no such authentication method, so there it sees a client without authentication.
 * Wherever the client does not authenticate, the library accepts only a verified request object.
 */
function seenBy(
  ctx: ProviderContext,
  origin: Client['origin'],
  client: object | undefined,
): object | undefined {
  if (client === undefined || origin !== 'federation_automatic') return client;
  const { route } = ctx.oidc;
  if (route === 'authorization') return { ...client, ...REQUEST_OBJECT_REQUIRED };
  return route === PUSHED && isRequestObjectAlone(ctx)
    ? { ...withoutAuthentication(client), ...REQUEST_OBJECT_REQUIRED }
    : client;
}

const REQUEST_OBJECT_REQUIRED = { require_signed_request_object: true };

function isRequestObjectAlone({ req, oidc: { body = {} } }: ProviderContext): boolean {
  const { request, client_assertion: assertion, client_secret: secret } = body;
  const others = [parameter(assertion), parameter(secret), req.headers.authorization];
  return typeof parameter(request) === 'string' && others.every((other) => other === undefined);
}

/**
 * Marks a client without authentication here as one that authenticates at the token endpoint, so that it counts as
 * confidential.
 */
export const CONFIDENTIAL = 'authenticates_at_token_endpoint';

/** The library refuses members of authentication methods that a client does not use. */
function withoutAuthentication(client: object): object {
  const kept = Object.entries(client).filter(
    ([name]) => !name.startsWith('token_endpoint_auth_') && !name.startsWith('tls_client_auth_'),
  );
  const isConfidential =
    !('token_endpoint_auth_method' in client) || client.token_endpoint_auth_method !== 'none';
  return {
    ...Object.fromEntries(kept),
    token_endpoint_auth_method: 'none',
    [CONFIDENTIAL]: isConfidential,
  };
}
