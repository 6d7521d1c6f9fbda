import { authenticateClient, InvalidClientError } from '@vestibule/client-auth';
import type { Adapter, AdapterFactory } from '@vestibule/oidc-provider-adapter';
import { Provider, type ProviderContext } from 'oidc-provider';
import { refuseUnfitAssertion } from './assertion-policy.js';
import { AUTHENTICATED_ROUTES, invalidClient } from './client-refusals.js';
import type { ProviderDeps } from './provider-deps.js';

/**
 * Applies the rules of every service when the library looks up the client of a request: assertions that cannot be valid
 * are refused with the reason, and a client authenticates only with its registered method, while the library accepts a
 * secret in either place.
 */
export function withEvaluatedClients(factory: AdapterFactory, deps: ProviderDeps): AdapterFactory {
  return (model) => {
    const adapter = factory(model);
    return model === 'Client' ? { ...adapter, find: evaluating(adapter, deps) } : adapter;
  };
}

function evaluating({ find }: Adapter, deps: ProviderDeps): Adapter['find'] {
  // If a request is refused, the library looks up its client once more.
  const evaluated = new WeakSet<object>();
  return async (id) => {
    const client = await find(id);
    const { ctx } = Provider;
    if (ctx === undefined || evaluated.has(ctx) || !AUTHENTICATED_ROUTES.has(ctx.oidc.route)) return client;
    evaluated.add(ctx);
    refuseUnfitAssertion(deps, ctx, id);
    const method = secretMethod(ctx);
    if (method !== undefined && authMethodOf(client) !== method) await refuseOtherMethod(deps, ctx, id);
    return client;
  };
}

function authMethodOf(client: object | undefined): unknown {
  return client !== undefined && 'token_endpoint_auth_method' in client
    ? client.token_endpoint_auth_method
    : undefined;
}

/** The authentication method of a request with a plain secret; the library has refused one with two credentials. */
function secretMethod({
  req,
  oidc,
}: ProviderContext): 'client_secret_basic' | 'client_secret_post' | undefined {
  if (secretOf(oidc) !== undefined) return 'client_secret_post';
  return req.headers.authorization === undefined ? undefined : 'client_secret_basic';
}

function secretOf({ params }: ProviderContext['oidc']): string | undefined {
  const secret = params?.['client_secret'];
  return typeof secret === 'string' && secret !== '' ? secret : undefined;
}

/** Only a caller with the right secret learns which method the client registered. */
async function refuseOtherMethod(deps: ProviderDeps, ctx: ProviderContext, id: string): Promise<void> {
  const { authorization } = ctx.req.headers;
  const form = { client_id: id, client_secret: secretOf(ctx.oidc) };
  try {
    await authenticateClient(deps, { authorization, form });
  } catch (error) {
    if (!(error instanceof InvalidClientError)) throw error;
    throw invalidClient(ctx, error.refusal);
  }
}
