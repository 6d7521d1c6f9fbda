import type { ReplayStore } from '@vestibule/client-auth/assertions';
import type { ClientCertificate } from '@vestibule/client-auth/certificates';
import type { RemoteKeySets } from '@vestibule/crypto/public-keys';
import type { AutomaticProof } from '../../registration/automatic-request.js';
import type { FederationRegistrationDeps } from '../federation-registration-deps.js';

/** What registering entities automatically takes. */
export interface AutomaticRegistrationDeps extends FederationRegistrationDeps {
  readonly replays: ReplayStore;
  /** Our endpoints that a request object may name in `aud` beside our own identifier. */
  readonly requestEndpoints: readonly string[];
  /** The key sets behind addresses in resolved metadata. */
  readonly remoteKeySets: RemoteKeySets;
  /** The longest life of an automatic registration in seconds; 0 for as long as the chain. */
  readonly clientLifetimeSeconds: number;
  /** How far ahead `exp` of a proof may lie, in seconds. */
  readonly proofMaxLifetimeSeconds: number;
  /** How long an entity that could not be trusted is not looked at again, in seconds; 0 for not at all. */
  readonly negativeCacheSeconds: number;
}

/** A signed proof, as it came in. */
export interface SignedProof {
  /** The `client_id` beside the proof. */
  readonly clientId: unknown;
  readonly proof: AutomaticProof;
  readonly token: string;
}

/** A certificate whose key the client proved, within its life. */
export interface CertificateProof {
  readonly clientId: unknown;
  readonly proof: 'certificate';
  readonly certificate: ClientCertificate;
}

/** A request of an entity that is not registered, and the network that it came from. */
export type AutomaticRegistrationRequest = (SignedProof | CertificateProof) & { readonly network: string };
