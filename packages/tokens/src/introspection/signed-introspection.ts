import { type EncryptJwtOptions, encryptJwt, type SigningKey, signJwt } from '@vestibule/crypto/jwt';
import type { KeyRing } from '@vestibule/crypto/signing-keys';
import { type ClientId, type Clock, type Issuer, nowSeconds } from '@vestibule/protocol';
import { type AsymmetricAlgorithm, JWT_TYP } from '@vestibule/protocol/constants';
import { derivedJti } from '../derived-jti.js';
import type { Introspection } from './introspect.js';
import { introspectionClaims, legacyIntrospectionClaims } from './introspection-claims.js';
import type { IntrospectionFormat } from './introspection-format.js';

/** Dependencies of signing responses. */
export interface SignedIntrospectionDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  /** The provider's key ring. */
  readonly keys: Pick<KeyRing, 'signingKey'>;
  /** The `typ` header; `token-introspection+jwt` by default (RFC 9701 section 5). */
  readonly responseType?: string;
}

/** The resource server that receives signed responses, with its algorithms. */
export interface ResponseRecipient {
  readonly clientId: ClientId;
  readonly algorithm: AsymmetricAlgorithm;
  /** Absent for responses that are signed only. */
  readonly encryption?: EncryptJwtOptions;
}

/** Formats of signed responses. */
export type SignedFormat = Exclude<IntrospectionFormat, 'json'>;

/** Signs the response about a token as a JWT. */
export type ResponseSigner = (
  text: string,
  introspection: Pick<Introspection, 'response' | 'verifiedJti'>,
) => Promise<string>;

/**
 * Prepares signing for a resource server, so that a missing key is detected before a token is read or consumed. Every
 * response is signed anew, then encrypted if `encryption` is set (RFC 9701 section 5).
 * @throws KeyStateError when there is no active key for the algorithm
 */
export function introspectionSigner(
  deps: SignedIntrospectionDeps,
  recipient: ResponseRecipient,
  format: SignedFormat,
): ResponseSigner {
  const { encryption, clientId, algorithm } = recipient;
  const { responseType: typ = JWT_TYP.introspectionResponse } = deps;
  const key: SigningKey = deps.keys.signingKey(algorithm);
  return async (text, { response, verifiedJti = derivedJti(text) }) => {
    const envelope = { issuer: deps.issuer, caller: clientId, issuedAt: nowSeconds(deps.clock) };
    const claims =
      format === 'jwt'
        ? introspectionClaims(envelope, response)
        : legacyIntrospectionClaims(envelope, response, verifiedJti);
    const signed = await signJwt({ key, typ, claims });
    return encryption === undefined ? signed : encryptJwt(signed, encryption);
  };
}
