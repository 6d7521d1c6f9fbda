import { decodeUnverifiedJwt, JoseFailure, textClaim } from '@vestibule/crypto';
import { JWT_BEARER_ASSERTION_TYPE, parseClientId } from '@vestibule/protocol';
import type { AssertionMethod } from './assertion-method.js';
import { clientSecretJwt } from './methods/client-secret-jwt.js';
import { privateKeyJwt } from './methods/private-key-jwt.js';
import { ABSENT, type CredentialReader, type Presentation } from './presented-credential.js';
import { ASSERTION_MAX_LENGTH, whyAssertionRefused } from './why-assertion-refused.js';

/** The methods that share this wire form; the algorithm tells them apart. */
const METHODS: readonly AssertionMethod[] = [clientSecretJwt, privateKeyJwt];

/**
 * A client assertion among the form parameters (RFC 7521 section 4.2, RFC 7523 section 2.2). Who the client says that
 * it is stands in the assertion; a `client_id` beside it may only repeat that.
 */
export const clientAssertion: CredentialReader = ({ form }) => {
  const { client_assertion: assertion, client_assertion_type: type } = form;
  if (assertion === undefined && type === undefined) return ABSENT;
  if (assertion === undefined || type !== JWT_BEARER_ASSERTION_TYPE)
    return malformed('client_assertion and client_assertion_type do not go together');
  try {
    return presented(assertion);
  } catch (error) {
    if (!(error instanceof JoseFailure)) throw error;
    return malformed(`the assertion cannot be read: ${error.message}`);
  }
};

function presented(assertion: string): Presentation {
  const { header, claims } = decodeUnverifiedJwt(assertion, ASSERTION_MAX_LENGTH);
  const method = METHODS.find(({ algorithms }) => algorithms.some((algorithm) => algorithm === header.alg));
  if (method === undefined) return malformed('the assertion has an algorithm that is not accepted');
  const clientId = parseClientId(textClaim(claims, 'sub'));
  if (clientId === undefined) return malformed('sub of the assertion is not a client identifier');
  return {
    kind: 'presented',
    credential: {
      methods: [method.name],
      clientId,
      whyRefused: (deps, client) => whyAssertionRefused(deps, { assertion, clientId, method, client }),
    },
  };
}

function malformed(reason: string): Presentation {
  return { kind: 'malformed', reason };
}
