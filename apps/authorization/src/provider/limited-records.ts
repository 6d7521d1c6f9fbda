import type { Adapter, AdapterFactory } from '@vestibule/oidc-provider-adapter';
import { Provider, type ProviderContext } from 'oidc-provider';
import { CONFIDENTIAL } from './automatic-clients.js';
import { presentedError } from './presented-error.js';
import type { ProviderDeps } from './provider-deps.js';
import { networkOfRequest, type StoredRequestKind } from './stored-request-limit.js';

/** Limits what the library stores for requests without authentication. Without a limit this changes nothing. */
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

/** The kind of request that is counted, by model of the library. */
const KINDS = new Map<string, (ctx: ProviderContext) => StoredRequestKind | undefined>([
  // A request that continues after a login or a consent replaces the previous one.
  ['Interaction', ({ oidc }) => (oidc.route === 'authorization' ? 'interaction' : undefined)],
  [
    'PushedAuthorizationRequest',
    ({ oidc: { client } }) =>
      client?.clientAuthMethod === 'none' && client[CONFIDENTIAL] !== true ? 'pushed_request' : undefined,
  ],
]);
