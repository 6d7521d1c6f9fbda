import type { Adapter, AdapterFactory } from '@vestibule/oidc-provider-adapter';
import { Provider, type ProviderContext } from 'oidc-provider';
import { CONFIDENTIAL } from './automatic-clients.js';
import { presentedError } from './presented-error.js';
import type { ProviderDeps } from './provider-deps.js';
import { networkOfRequest } from './request-network.js';
import type { StoredRequestKind } from './stored-request-limit.js';

/** Limits what the library stores for requests without authentication. Without a limit nothing is different. */
export function withLimitedRecords(
  factory: AdapterFactory,
  { storedRequests }: Pick<ProviderDeps, 'storedRequests'>,
): AdapterFactory {
  if (storedRequests === undefined) return factory;
  return (model) => {
    const adapter = factory(model);
    const kindOf = KINDS.get(model);
    if (kindOf === undefined) return adapter;
    const upsert: Adapter['upsert'] = async (id, payload, expiresIn) => {
      const { ctx } = Provider;
      const kind = ctx && kindOf(ctx);
      if (ctx !== undefined && kind !== undefined)
        await storedRequests.admit(kind, networkOfRequest(ctx.req)).catch((error: unknown) => {
          throw presentedError(ctx, error);
        });
      await adapter.upsert(id, payload, expiresIn);
    };
    return { ...adapter, upsert };
  };
}

/** By model, which requests of the library's are counted. */
const KINDS = new Map<string, (ctx: ProviderContext) => StoredRequestKind | undefined>([
  // One that goes on after a login or a consent takes the place of the one before.
  ['Interaction', ({ oidc }) => (oidc.route === 'authorization' ? 'interaction' : undefined)],
  [
    'PushedAuthorizationRequest',
    ({ oidc: { client } }) =>
      client?.clientAuthMethod === 'none' && client[CONFIDENTIAL] !== true ? 'pushed_request' : undefined,
  ],
]);
