import type { ReplayStore } from '@vestibule/client-auth/assertions';
import type { ClientCertificate } from '@vestibule/client-auth/certificates';
import type { RemoteKeySets } from '@vestibule/crypto/public-keys';
import type { AutomaticProof } from '../../registration/automatic-request.js';
import type { FederationRegistrationDeps } from '../federation-registration-deps.js';

/** Dependencies of automatic registration. */
export interface AutomaticRegistrationDeps extends FederationRegistrationDeps {
  readonly replays: ReplayStore;
  /** Our endpoints that a request object may name in `aud` besides our own identifier. */
  readonly requestEndpoints: readonly string[];
  /** The key sets at the URLs in resolved metadata. */
  readonly remoteKeySets: RemoteKeySets;
  /** Maximum lifetime of an automatic registration in seconds; 0 for that of the chain. */
  readonly clientLifetimeSeconds: number;
  /** Maximum time until `exp` of a proof, in seconds. */
  readonly proofMaxLifetimeSeconds: number;
  /** How long an untrusted entity is not resolved again, in seconds; 0 disables this. */
  readonly negativeCacheSeconds: number;
}

/** A signed proof, as received. */
export interface SignedProof {
  /** The `client_id` beside the proof. */
  readonly clientId: unknown;
  readonly proof: AutomaticProof;
  readonly token: string;
}

/** A certificate whose key the client proved, within its validity. */
export interface CertificateProof {
  readonly clientId: unknown;
  readonly proof: 'certificate';
  readonly certificate: ClientCertificate;
}

/** A request of an entity that is not registered, and the network that it came from. */
export type AutomaticRegistrationRequest = (SignedProof | CertificateProof) & { readonly network: string };
