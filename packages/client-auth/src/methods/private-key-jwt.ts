import { ASYMMETRIC_ALGORITHMS } from '@vestibule/protocol/constants';
import type { AssertionMethod } from '../assertions/assertion-method.js';
import { clientVerificationKeys } from '../client-key-set.js';

/**
 * `private_key_jwt`: an assertion signed with a key pair of the client (OpenID Connect Core 1.0 section 9, RFC 7523).
 */
export const privateKeyJwt: AssertionMethod = {
  name: 'private_key_jwt',
  algorithms: ASYMMETRIC_ALGORITHMS,
  keys: clientVerificationKeys,
};
