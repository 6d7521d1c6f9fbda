import { decodeUnverifiedJwt, JoseFailure } from '@vestibule/crypto/jwt';
import { parseClientId } from '@vestibule/protocol';
import { JWT_BEARER_ASSERTION_TYPE } from '@vestibule/protocol/constants';
import type { ClientRefusal } from '../client-refusal.js';
import { clientSecretJwt } from '../methods/client-secret-jwt.js';
import { privateKeyJwt } from '../methods/private-key-jwt.js';
import { ABSENT, type CredentialReader, type Presentation } from '../presented-credential.js';
import type { AssertionMethod } from './assertion-method.js';
import {
  ASSERTION_MAX_LENGTH,
  unreadableAssertion,
  whyAssertionRefused,
  whyAssertionUnfit,
} from './why-assertion-refused.js';

/** The methods that use this form; the algorithm selects one. */
const METHODS: readonly AssertionMethod[] = [clientSecretJwt, privateKeyJwt];

/**
 * Reads a client assertion from the form parameters (RFC 7521 section 4.2, RFC 7523 section 2.2). The assertion names
 * the client; a `client_id` parameter may only repeat it.
 */
export const clientAssertion: CredentialReader = ({ form }) => {
  const { client_assertion: assertion, client_assertion_type: type } = form;
  if (assertion === undefined && type === undefined) return ABSENT;
  if (assertion === undefined || type !== JWT_BEARER_ASSERTION_TYPE)
    return malformed(`client_assertion_type must be ${JWT_BEARER_ASSERTION_TYPE}, beside client_assertion`);
  return presentedAssertion(assertion);
};

/**
 * Explains why an assertion names no client or cannot be verified at all; `undefined` otherwise. Does not read the
 * client.
 */
export function whyAssertionMalformed(assertion: string): ClientRefusal | undefined {
  const presentation = presentedAssertion(assertion);
  return presentation.kind === 'malformed' ? presentation.refusal : undefined;
}

/** Reads the client that an assertion names. */
export function presentedAssertion(assertion: string): Presentation {
  try {
    return named(assertion);
  } catch (error) {
    if (!(error instanceof JoseFailure)) throw error;
    return { kind: 'malformed', refusal: unreadableAssertion(error) };
  }
}

function named(assertion: string): Presentation {
  const { header, claims } = decodeUnverifiedJwt(assertion, ASSERTION_MAX_LENGTH);
  const method = METHODS.find(({ algorithms }) => algorithms.some((algorithm) => algorithm === header.alg));
  if (method === undefined) return malformed('client_assertion: alg is not supported');
  const clientId = parseClientId(claims['sub']);
  if (clientId === undefined) return malformed('client_assertion: sub must be the client_id');
  return {
    kind: 'presented',
    credential: {
      methods: [method.name],
      clientId,
      whyUnfit: (deps) => whyAssertionUnfit(deps, { assertion, clientId }),
      whyRefused: (deps, client) => whyAssertionRefused(deps, { assertion, clientId, method, client }),
    },
  };
}

function malformed(description: string): Presentation {
  const refusal: ClientRefusal = { reason: 'assertion_malformed', detail: description, description };
  return { kind: 'malformed', refusal };
}
