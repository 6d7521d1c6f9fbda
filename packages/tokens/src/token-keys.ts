import type { AsymmetricAlgorithm, HmacAlgorithm, JsonObject } from '@vestibule/protocol';

/** Signs with the provider's key ring: the active key of an algorithm. */
export interface TokenSigner {
  /** A compact JWS over the claims, with `typ` and `kid` in its header. */
  sign(
    claims: JsonObject,
    header: { readonly typ: string; readonly alg: AsymmetricAlgorithm },
  ): Promise<string>;
}

/** Verifies what the provider's key ring signed. */
export interface TokenVerifier {
  /**
   * The claims of a compact JWS that one of our keys signed, with the algorithm of that key and exactly this `typ`;
   * `undefined` for everything else. Checks no claim.
   */
  verify(token: string, header: { readonly typ: string }): Promise<JsonObject | undefined>;
}

/** Signs with the secret of a client. */
export interface HmacTokenSigner {
  /**
   * A compact JWS over the claims, keyed with the UTF-8 bytes of the secret.
   * @throws when the secret is shorter than the algorithm demands (RFC 7518 section 3.2).
   */
  signWithSecret(
    claims: JsonObject,
    header: { readonly typ: string; readonly alg: HmacAlgorithm },
    secret: string,
  ): Promise<string>;
}
