import type { InitialAccessToken } from '@vestibule/clients/registration';
import type { Store } from '@vestibule/database';
import type { IntrospectionDeps } from '@vestibule/tokens/introspection';
import { initialTokenReader } from '@vestibule/tokens/issuing';

/** Dependencies of {@link findPastedInitialToken}. */
export interface PastedTokenDeps {
  readonly store: Pick<Store, 'database' | 'digester'>;
  readonly introspection: Pick<IntrospectionDeps, 'keys' | 'issuer' | 'clock'>;
}

/** Finds the initial access token with a text, in either format, usable or not; `undefined` if it is none. */
export async function findPastedInitialToken(
  { store: { database, digester }, introspection }: PastedTokenDeps,
  text: string,
): Promise<InitialAccessToken | undefined> {
  const name = await initialTokenReader(introspection).read(text);
  return digester.find((digests) =>
    database.initialAccessTokens.find(digests('initial-access-token', name ?? text)),
  );
}
