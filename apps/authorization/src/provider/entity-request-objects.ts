import { parseEntityId } from '@vestibule/federation';
import type { UnusedRequestObject } from '@vestibule/federation/clients';
import { DomainError } from '@vestibule/protocol';
import { errors, type ProviderClient, type ProviderContext } from 'oidc-provider';
import type { ProviderDeps } from './provider-deps.js';

/** The library's hooks for request objects of federation entities. */
export interface EntityRequestObjects {
  /**
   * Reads a request object: those of entities must be short-lived and for us alone. Its signature is not verified yet.
   */
  readonly read: (
    ctx: ProviderContext,
    claims: unknown,
    header: unknown,
    client: ProviderClient,
  ) => Promise<void>;
  /**
   * Marks the request object of a request as used, which succeeds once. The library has verified its signature by then,
   * so an unsigned or forged one uses up no `jti` of an entity.
   */
  readonly use: (ctx: ProviderContext) => Promise<void>;
}

/** Creates the hooks of one provider. A pushed request object is read and used when it is pushed. */
export function entityRequestObjects({ automatic }: Pick<ProviderDeps, 'automatic'>): EntityRequestObjects {
  const unused = new WeakMap<ProviderContext, UnusedRequestObject>();
  return {
    read: async (ctx, _claims, _header, { clientId }) => {
      if (parseEntityId(clientId, automatic?.allowHosts) === undefined) return;
      const { entities, params } = ctx.oidc;
      const token = params?.['request'];
      if (entities.PushedAuthorizationRequest !== undefined || typeof token !== 'string') return;
      const read = await orInvalid(async () => automatic?.readRequestObject(token, clientId));
      if (read !== undefined) unused.set(ctx, read);
    },
    use: async (ctx) => orInvalid(async () => unused.get(ctx)?.use()),
  };
}

async function orInvalid<T>(evaluate: () => Promise<T>): Promise<T> {
  try {
    return await evaluate();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new errors.InvalidRequestObject(
      'request: not a request object of a federation entity, or used before',
    );
  }
}
