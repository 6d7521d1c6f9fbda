import { secureRandom } from '@vestibule/crypto';
import { parseIssuer } from '@vestibule/protocol';
import { introspectionEndpoint } from '@vestibule/protocol/constants';
import { parseScope } from '@vestibule/scopes';
import type { Environment } from '@vestibule/service/settings';
import { aClient, aClientId, noteSecret } from '@vestibule/testkit';
import { type AccessTokenGrant, issueIdentifierToken, issueJwtToken } from '@vestibule/tokens/issuing';
import {
  buildTestConsole,
  ISSUER,
  type TestConsole,
  type TestConsoleParts,
} from '../../support/build-test-console.js';
import { formOf } from '../../support/shown-page.js';

/** A console with the clients `client` and `api`, a resource server that may introspect, and tokens of `client`. */
export async function aTokenConsole(settings: Environment = {}, parts: TestConsoleParts = {}) {
  return withTokens(await buildTestConsole(settings, parts));
}

/** Adds the clients to a console, and the means to issue tokens. */
export async function withTokens(built: TestConsole) {
  const { store, post } = built;
  const issuer = parseIssuer(ISSUER);
  if (issuer === undefined) throw new TypeError('not an issuer');
  const { clients } = store.database;
  await clients.create(aClient());
  await clients.create(
    aClient({
      id: aClientId('api'),
      metadata: {
        grant_types: ['client_credentials'],
        scope: `${introspectionEndpoint(issuer)} read`,
        resource_identifiers: ['https://api.example/v1'],
      },
    }),
  );
  const issuing = {
    clock: store.clock,
    issuer,
    random: secureRandom,
    digester: store.digester,
    accessTokens: store.database.accessTokens,
    keys: store.providerKeys,
    algorithm: 'ES256',
    tokenLength: 43,
  } as const;
  const grantOf = (deviation: Partial<AccessTokenGrant>): AccessTokenGrant => {
    const scope = parseScope('read write');
    if (scope === undefined) throw new TypeError('not a scope');
    return { clientId: aClientId('client'), scope, subject: 'alice', lifetimeSeconds: 600, ...deviation };
  };
  /** Explains a token, and returns the encrypted text of its forms. */
  const encrypted = async (token: string) =>
    formOf(await post('/token', { token }, 'viewer'), '/token')?.fields['encrypted'] ?? '';
  return {
    ...built,
    identifier: async (deviation: Partial<AccessTokenGrant> = {}) =>
      noted((await issueIdentifierToken(issuing, grantOf(deviation))).accessToken),
    jwt: async (deviation: Partial<AccessTokenGrant> = {}) =>
      noted((await issueJwtToken(issuing, grantOf(deviation))).accessToken),
    encrypted,
    /** Shows what a caller gets for a token. */
    asCaller: async (token: string, caller: string) =>
      post('/token', { encrypted: await encrypted(token), caller }, 'viewer'),
  };
}

/** Has the stores of the run searched for a token: none may contain it. */
function noted(token: string): string {
  noteSecret('access_token', token);
  return token;
}
