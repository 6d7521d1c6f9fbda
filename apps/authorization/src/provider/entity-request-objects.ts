import { parseEntityId } from '@vestibule/federation';
import type { UnusedRequestObject } from '@vestibule/federation/clients';
import { DomainError } from '@vestibule/protocol';
import { errors, type ProviderClient, type ProviderContext } from 'oidc-provider';
import type { ProviderDeps } from './provider-deps.js';

/** The library's hooks about the request objects of entities. */
export interface EntityRequestObjects {
  /** Reads a request object: those of entities are short-lived and for us alone. Its signature is not verified yet. */
  readonly read: (
    ctx: ProviderContext,
    claims: unknown,
    header: unknown,
    client: ProviderClient,
  ) => Promise<void>;
  /**
   * Uses the request object of a request, which can be done once. The library has verified its signature by then, so
   * that an unsigned or forged one uses up no `jti` of an entity.
   */
  readonly use: (ctx: ProviderContext) => Promise<void>;
}

/** Makes the hooks of one provider. A pushed request object is read and used when it is pushed. */
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

async function orInvalid<T>(judge: () => Promise<T>): Promise<T> {
  try {
    return await judge();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new errors.InvalidRequestObject('the request object is not one of an entity, or was used before');
  }
}
