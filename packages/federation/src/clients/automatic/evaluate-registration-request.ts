import { whyCertificateRefused } from '@vestibule/client-auth/certificates';
import type { Client } from '@vestibule/clients';
import { type PublicJwkSet, parsePublicJwks } from '@vestibule/crypto/public-keys';
import { DomainError } from '@vestibule/protocol';
import { parseEntityId } from '../../entity-id.js';
import { verifyAutomaticRequest } from '../../registration/automatic-request.js';
import { untrusted } from '../../registration/refusals.js';
import type {
  AutomaticRegistrationDeps,
  AutomaticRegistrationRequest,
  CertificateProof,
  SignedProof,
} from './automatic-registration-deps.js';
import { readSignedProof, useProof } from './read-signed-proof.js';
import type { ResolvedEntity } from './resolve-entity.js';

/** A registration request after the cheap checks. */
export interface EvaluatedRegistrationRequest {
  readonly entity: ResolvedEntity;
  /**
   * Verifies the proof by the resolved metadata, and uses it.
   * @throws DomainError `unauthorized_client`
   */
  readonly verify: (metadata: Client['metadata']) => Promise<void>;
}

/**
 * Makes the cheap checks of a registration request, before any fetch.
 * @throws DomainError `invalid_request`
 */
export function evaluateRegistrationRequest(
  deps: AutomaticRegistrationDeps,
  registrationRequest: AutomaticRegistrationRequest,
): EvaluatedRegistrationRequest {
  return registrationRequest.proof === 'certificate'
    ? byCertificate(deps, registrationRequest)
    : bySignature(deps, registrationRequest);
}

function bySignature(deps: AutomaticRegistrationDeps, proof: SignedProof): EvaluatedRegistrationRequest {
  const request = readSignedProof(deps, proof);
  return {
    entity: request,
    // The proof counts as used only after its signature is verified, so that a forged one cannot use up its jti.
    verify: async (metadata) => {
      await verifyAutomaticRequest(request, await keysOf(deps, metadata));
      await useProof(deps, request, 'registration');
    },
  };
}

function byCertificate(
  { allowHosts, clock, remoteKeySets }: AutomaticRegistrationDeps,
  { clientId: id, certificate }: CertificateProof,
): EvaluatedRegistrationRequest {
  const clientId = parseEntityId(id, allowHosts);
  if (clientId === undefined)
    throw new DomainError('invalid_request', 'client_id: must be an https URL that is an entity identifier');
  return {
    entity: { clientId, chain: undefined, peerChain: undefined },
    verify: async (metadata) => {
      const reason = await whyCertificateRefused({ clock, remoteKeySets }, { metadata }, certificate);
      if (reason !== undefined) throw untrusted(reason);
    },
  };
}

async function keysOf(
  { remoteKeySets }: AutomaticRegistrationDeps,
  { jwks, jwks_uri: address }: Client['metadata'],
): Promise<PublicJwkSet> {
  if (address !== undefined) {
    const found = await remoteKeySets.keySet(address);
    if (found === undefined) throw untrusted('the key set of the entity could not be fetched');
    return found;
  }
  const result = parsePublicJwks(jwks);
  if (!result.ok) throw untrusted('the entity has no keys that can be used');
  return result.jwks;
}
