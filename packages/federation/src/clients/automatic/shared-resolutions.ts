import type { AcceptedAutomaticRegistration } from '@vestibule/clients/federation-registration';
import { DomainError } from '@vestibule/protocol';
import { boundedMap } from '@vestibule/protocol/runtime';
import type { EntityId } from '../../entity-id.js';
import { FederationFailure } from '../../federation-failure.js';
import type { SharedStatements } from '../federation-registration-deps.js';
import type { AutomaticRegistrationDeps } from './automatic-registration-deps.js';
import { type ResolvedEntity, resolveEntity } from './resolve-entity.js';

/** Maximum number of entities that are cached as untrusted; the one that failed first is evicted. */
const MAX_FAILURES = 10_000;

/** Resolves entities for all requests of this process. */
export type ResolveShared = (
  entity: ResolvedEntity,
  admit: () => Promise<void>,
) => Promise<AcceptedAutomaticRegistration>;

/**
 * Shares one resolution among parallel requests for one entity, which counts once, and does not resolve an untrusted
 * entity again for a while. An entity that sends its own chain is checked by that, each time.
 * @returns a function that throws as `resolveEntity` and as `admit`
 */
export function sharedResolutions(deps: AutomaticRegistrationDeps): ResolveShared {
  const { clock, controls, negativeCacheSeconds } = deps;
  const running = new Map<EntityId, Promise<AcceptedAutomaticRegistration>>();
  const failures = boundedMap<EntityId, { readonly error: DomainError; readonly untilMs: number }>({
    maxEntries: MAX_FAILURES,
    isExpired: ({ untilMs }) => clock.nowMs() >= untilMs,
  });
  const cacheFailure = (id: EntityId, error: unknown) => {
    if (negativeCacheSeconds === 0 || !isVerdict(error)) return;
    failures.set(id, { error, untilMs: clock.nowMs() + negativeCacheSeconds * 1000 });
  };
  const resolve: ResolveShared = async (entity, admit) => {
    await admit();
    return resolveEntity(deps, entity);
  };
  const begin: ResolveShared = async (entity, admit) => {
    try {
      return await resolve(entity, admit);
    } catch (error) {
      cacheFailure(entity.clientId, error);
      throw error;
    } finally {
      running.delete(entity.clientId);
    }
  };
  let statements: SharedStatements | undefined;
  return async (entity, admit) => {
    const { clientId, chain, peerChain } = entity;
    if (chain !== undefined || peerChain !== undefined) return resolve(entity, admit);
    const present = (await controls()).statements;
    // A purge invalidates everything before it.
    if (present !== statements) failures.clear();
    statements = present;
    const failure = failures.get(clientId);
    if (failure !== undefined) throw failure.error;
    const resolving = running.get(clientId) ?? begin(entity, admit);
    running.set(clientId, resolving);
    return resolving;
  };
}

/**
 * Whether an error is about the entity, including the costs of its resolution, rather than about us or other requests.
 */
function isVerdict(error: unknown): error is DomainError {
  if (!(error instanceof DomainError)) return false;
  const { code, cause } = error;
  if (code !== 'too_many_requests') return true;
  return cause instanceof FederationFailure && cause.reason !== 'overloaded';
}
