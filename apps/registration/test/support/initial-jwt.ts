import { secureRandom } from '@vestibule/crypto';
import { EMPTY_SCOPE, parseScope } from '@vestibule/scopes';
import { noteSecret } from '@vestibule/testkit';
import { issueInitialAccessToken } from '@vestibule/tokens/issuing';
import { ISSUER, type TestApp } from './build-test-app.js';

/** Issues an initial access token for the code grant as a JWT. */
export async function initialJwt(
  { deps, store }: Pick<TestApp, 'deps' | 'store'>,
  uses = 1,
): Promise<string> {
  const { accessToken } = await issueInitialAccessToken(
    {
      clock: deps.clock,
      issuer: ISSUER,
      random: secureRandom,
      digester: deps.digester,
      initialAccessTokens: store.database.initialAccessTokens,
      tokenLength: 43,
      keys: store.providerKeys,
      algorithm: 'ES256',
    },
    { scope: parseScope('client-reg:grant:code') ?? EMPTY_SCOPE, lifetimeSeconds: 600, uses, format: 'jwt' },
  );
  noteSecret('initial access token', accessToken);
  return accessToken;
}
