import type { Client } from '@vestibule/clients';
import { isReplaceableBy, registerAutomaticClient } from '@vestibule/clients/federation-registration';
import { isClientExpired } from '@vestibule/clients/management';
import { nowSeconds } from '@vestibule/protocol';
import { untrusted } from '../../registration/refusals.js';
import { recheckDenyList } from '../recheck-deny-list.js';
import type {
  AutomaticRegistrationDeps,
  AutomaticRegistrationRequest,
} from './automatic-registration-deps.js';
import { evaluateRegistrationRequest } from './evaluate-registration-request.js';
import { readSignedProof, useProof } from './read-signed-proof.js';
import { type Renew, renewals } from './renewals.js';
import type { ResolvedEntity } from './resolve-entity.js';
import { sharedResolutions } from './shared-resolutions.js';

/** A parsed request object, whose signature must be verified before it is used. */
export interface UnusedRequestObject {
  /**
   * Uses it, which can be done once.
   * @throws DomainError `unauthorized_client` if it was used before
   */
  use(): Promise<void>;
}

/** Automatic registration (OpenID Federation 1.0 section 12.1). */
export interface AutomaticRegistration {
  /**
   * Registers an entity by its own request: first the cheap checks, then trust, then the proof by the resolved
   * metadata, and only then the client. Each of several parallel requests of one entity is checked, and one creates the
   * client.
   * @throws DomainError `invalid_request`, `unauthorized_client`, `too_many_requests`, or an error of the metadata
   *   rules
   */
  register(registrationRequest: AutomaticRegistrationRequest): Promise<Client>;
  /**
   * Parses the request object of a registered client by the rules for unregistered ones; its signature is not verified.
   * @throws DomainError `invalid_request`
   */
  readRequestObject(token: string, clientId: string): UnusedRequestObject;
  /**
   * Renews a registration in the background when it is due, without waiting for it; returns whether a renewal started.
   */
  readonly renewWhenDue: Renew;
}

/** Creates automatic registration, with its caches in this process. */
export function automaticRegistration(
  deps: AutomaticRegistrationDeps,
  onProblem: (error: unknown) => void,
): AutomaticRegistration {
  const resolve = sharedResolutions(deps);
  return {
    register: async (registrationRequest) => {
      const { entity, verify } = evaluateRegistrationRequest(deps, registrationRequest);
      await requireRoom(deps, entity);
      const accepted = await resolve(entity, () => deps.admit(registrationRequest.network));
      await verify(accepted.metadata);
      const client = await registerAutomaticClient(deps.registration, accepted);
      await recheckDenyList(deps, client.id, accepted.membership);
      return client;
    },
    readRequestObject: (token, clientId) => {
      const request = readSignedProof(deps, { proof: 'request_object', token, clientId });
      return { use: () => useProof(deps, request, 'request') };
    },
    renewWhenDue: renewals(deps, resolve, onProblem),
  };
}

/** An entity that has registered itself explicitly keeps that registration, under its other identifier. */
async function requireRoom(
  { clock, registration: { clients } }: AutomaticRegistrationDeps,
  { clientId }: ResolvedEntity,
): Promise<void> {
  const present = await clients.findByEntity(clientId);
  if (present?.federation === undefined || isClientExpired(present, nowSeconds(clock))) return;
  if (isReplaceableBy(present.federation, { isAddressed: true })) return;
  const id: string = present.id;
  if (id === clientId) return;
  throw untrusted('the entity is registered explicitly');
}
