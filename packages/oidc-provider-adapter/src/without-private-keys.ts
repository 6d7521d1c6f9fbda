import { inspect } from 'node:util';

/** The members of JWKs that hold private values (RFC 7518 sections 6.2.2 and 6.3.2, RFC 8037 section 2). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'priv'];

const EVERYTHING = {
  depth: 20,
  maxArrayLength: Number.POSITIVE_INFINITY,
  maxStringLength: Number.POSITIVE_INFINITY,
  showHidden: true,
};

/**
 * Returns the error of a provider that could not be created so that it can be logged. The library makes the key that it
 * refuses the cause of its error, and code of a team may quote its configuration: a cause that is no error is removed,
 * and an error that contains a private value is replaced by one with the same message, if that does not contain it.
 */
export function withoutPrivateKeys(error: unknown, privateKeys: readonly object[]): unknown {
  if (error instanceof Error && !(error.cause instanceof Error)) delete error.cause;
  const values = privateKeys.flatMap(privateValues);
  const hasKey = (text: string) => values.some((value) => text.includes(value));
  if (!hasKey(inspect(error, EVERYTHING))) return error;
  const message = error instanceof Error ? error.message : '';
  const isPublic = message !== '' && !hasKey(message);
  return new Error(
    isPublic ? message : 'the message of the error contained a private key, so it is withheld',
  );
}

function privateValues(jwk: object): readonly string[] {
  return Object.entries(jwk).flatMap(([name, value]) =>
    PRIVATE_MEMBERS.includes(name) && typeof value === 'string' && value !== '' ? [value] : [],
  );
}
