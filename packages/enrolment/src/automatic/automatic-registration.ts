import { type Client, isClientExpired, registerAutomaticClient } from '@vestibule/clients';
import { type PublicJwkSet, parsePublicJwks } from '@vestibule/crypto';
import { type AutomaticRequest, verifyAutomaticRequest } from '@vestibule/federation';
import { DomainError, nowSeconds } from '@vestibule/protocol';
import type { AutomaticEnrolment, AutomaticPetition } from './automatic-enrolment.js';
import { readPetition } from './read-petition.js';
import { type Renew, renewals } from './renewals.js';
import { sharedResolutions } from './shared-resolutions.js';

/** Automatic registration (OpenID Federation 1.0 section 12.1). */
export interface AutomaticRegistration {
  /**
   * Registers an entity by its own request: the cheap checks, then trust, then the signature of the proof with the keys
   * of the resolved metadata, and only then the client. Of parallel requests of one entity each is judged, and one
   * creates the client.
   * @throws DomainError `invalid_request`, `unauthorized_client`, `too_many_requests`, or as the rules on metadata say
   */
  register(petition: AutomaticPetition): Promise<Client>;
  /** Judges the request object of a client that is registered: as for one that is not, its signature aside. */
  judgeRequestObject(token: string, clientId: string): Promise<void>;
  /** Renews a registration in the background when it is time; never rejects and does not wait. */
  readonly renewWhenDue: Renew;
}

/** Opens it, with what it remembers in this process. */
export function automaticRegistration(
  enrolment: AutomaticEnrolment,
  onProblem: (error: unknown) => void,
): AutomaticRegistration {
  const resolve = sharedResolutions(enrolment);
  return {
    register: async (petition) => {
      const request = await readPetition(enrolment, petition, 'registration');
      await requireRoom(enrolment, request);
      const accepted = await resolve(request, () => enrolment.admit(petition.network));
      await verifyAutomaticRequest(request, await keysOf(enrolment, accepted.metadata));
      return registerAutomaticClient(enrolment.registration, accepted);
    },
    judgeRequestObject: async (token, clientId) => {
      await readPetition(enrolment, { proof: 'request_object', token, clientId }, 'request');
    },
    renewWhenDue: renewals(enrolment, resolve, onProblem),
  };
}

/** Whoever registered explicitly has another identifier, and whoever else has this one keeps it. */
async function requireRoom(
  { clock, registration: { clients } }: AutomaticEnrolment,
  { clientId }: AutomaticRequest,
): Promise<void> {
  const present = await clients.findByEntity(clientId);
  if (present === undefined || isClientExpired(present, nowSeconds(clock))) return;
  const id: string = present.id;
  if (id === clientId) return;
  throw untrusted('the entity is registered explicitly');
}

async function keysOf(
  { remoteKeySets }: AutomaticEnrolment,
  { jwks, jwks_uri: address }: Client['metadata'],
): Promise<PublicJwkSet> {
  if (address !== undefined) {
    const found = await remoteKeySets.keySet(address);
    if (found === undefined) throw untrusted('the key set of the entity cannot be had');
    return found;
  }
  const result = parsePublicJwks(jwks);
  if (!result.ok) throw untrusted('the entity has no keys that can be used');
  return result.jwks;
}

function untrusted(detail: string): DomainError {
  return new DomainError('unauthorized_client', 'The entity cannot be trusted.', { detail });
}
