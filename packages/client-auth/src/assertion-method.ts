import type { Client } from '@vestibule/clients';
import type { VerificationKeySource } from '@vestibule/crypto';
import type { ClientAuthMethod, SigningAlgorithm } from '@vestibule/protocol';
import type { ClientAssertionDeps } from './client-assertion-deps.js';
import type { ClientAuthDeps } from './client-auth-deps.js';

/** What the methods that share the wire form of an assertion differ in. */
export interface AssertionMethod {
  readonly name: ClientAuthMethod;
  /** The family of algorithms; no algorithm belongs to two methods. */
  readonly algorithms: readonly SigningAlgorithm[];
  /** Finds the keys that a client proves itself with at present. */
  keys(deps: AssertionKeyDeps, client: Client): VerificationKeySource;
}

/** What finding those keys takes. */
export interface AssertionKeyDeps extends ClientAuthDeps {
  readonly assertions: ClientAssertionDeps;
}
