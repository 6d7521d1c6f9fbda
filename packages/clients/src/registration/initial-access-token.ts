import type { Digest, Digester } from '@vestibule/crypto/data-keys';
import type { EpochSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { Scope } from '@vestibule/scopes';

/** The right to register a number of clients (RFC 7591 section 1.2, registration/API.md#tokens). */
export interface InitialAccessToken {
  readonly digest: Digest;
  /** Its `client-reg` scope values. */
  readonly scope: Scope;
  /** Our issuer or the registration endpoint; empty if the token names no audience. */
  readonly audience: readonly string[];
  readonly issuedAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
  readonly usesLeft: number;
  readonly label?: string;
  /** Metadata that every registration with this token starts from. */
  readonly metadataTemplate?: JsonObject;
  readonly confirmation?: JsonObject;
}

/** Store of initial access tokens. `ClientRepository.create` consumes them. */
export interface InitialAccessTokenStore {
  /** Finds the token with one of the digests, usable or not. */
  find(digests: readonly Digest[]): Promise<InitialAccessToken | undefined>;
  insert(token: InitialAccessToken): Promise<void>;
  /** Deletes a token. Returns false if there is none. */
  delete(digests: readonly Digest[]): Promise<boolean>;
}

/** Reads initial access tokens that are JWTs. */
export interface InitialTokenReader {
  /**
   * Returns the text that the token is stored under, which no bearer token can be; `undefined` unless it is a live
   * initial access token of ours in JWT format.
   */
  read(token: string): Promise<string | undefined>;
}

/** Dependencies of finding an initial access token. */
interface InitialTokenDeps {
  readonly initialAccessTokens: Pick<InitialAccessTokenStore, 'find'>;
  readonly digester: Pick<Digester, 'find'>;
  /** Without it, initial access tokens in JWT format are unknown. */
  readonly initialTokenReader?: InitialTokenReader;
}

/** An initial access token, and the digests that identify it when it is consumed. */
interface FoundInitialToken {
  readonly issued: InitialAccessToken;
  readonly digests: readonly Digest[];
}

/**
 * Finds the initial access token of a bearer token in either format, usable or not.
 * @throws KeyEncryptionError when it is not found but may be under a digest key that cannot be opened.
 */
export async function findInitialToken(
  { initialAccessTokens, initialTokenReader, digester }: InitialTokenDeps,
  token: string,
): Promise<FoundInitialToken | undefined> {
  const name = token.includes('.') ? await initialTokenReader?.read(token) : undefined;
  return digester.find(async (digests) => {
    const tokenDigests = digests('initial-access-token', name ?? token);
    const issued = await initialAccessTokens.find(tokenDigests);
    return issued && { issued, digests: tokenDigests };
  });
}
