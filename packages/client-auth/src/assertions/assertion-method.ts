import type { Client } from '@vestibule/clients';
import type { VerificationKeySource } from '@vestibule/crypto/jwt';
import type { ClientAuthMethod, SigningAlgorithm } from '@vestibule/protocol/constants';
import type { ClientAuthDeps } from '../client-auth-deps.js';
import type { ClientAssertionDeps } from './client-assertion-deps.js';

/** How the methods differ that send an assertion. */
export interface AssertionMethod {
  readonly name: ClientAuthMethod;
  /** The algorithms of the method; no algorithm belongs to two methods. */
  readonly algorithms: readonly SigningAlgorithm[];
  /** Finds the keys that can verify a client's assertion now. */
  keys(deps: AssertionKeyDeps, client: Client): VerificationKeySource;
}

/** Dependencies of finding the keys. */
export interface AssertionKeyDeps extends ClientAuthDeps {
  readonly assertions: ClientAssertionDeps;
}
