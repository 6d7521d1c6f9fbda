import { Provider } from 'oidc-provider';
import { expect, it } from 'vitest';
import type { LibraryConfiguration } from './library-configuration.js';
import { performedBy } from './performed.js';

/** The discovery document of the library itself. */
async function discovered(configuration: object): Promise<Record<string, string[] | undefined>> {
  const provider = new Provider('https://as.example', { jwks: undefined, ...configuration });
  const { createServer } = await import('node:http');
  const server = createServer(provider.callback()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const response = await fetch(`http://127.0.0.1:${port}/.well-known/openid-configuration`);
  server.close();
  return JSON.parse(await response.text());
}

const CONFIGURATIONS: readonly LibraryConfiguration[] = [
  {},
  { scopes: ['openid'] },
  { scopes: ['openid', 'read'], issueRefreshToken: async () => true },
  {
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      address: { address: null },
      nickname: null,
    },
  },
  { responseTypes: ['code'], acrValues: ['gold', 'silver'] },
  { responseTypes: ['id_token'], scopes: new Set(['openid']) },
  { features: { clientCredentials: { enabled: true }, deviceFlow: { enabled: true } } },
];

it.each(CONFIGURATIONS)('is what the library publishes with the configuration %j', async (configuration) => {
  const document = await discovered(configuration);
  const { grantTypes, responseTypes, scopes, acrValues } = performedBy(configuration);
  expect(new Set(grantTypes)).toEqual(new Set(document['grant_types_supported']));
  expect(new Set(responseTypes)).toEqual(new Set(document['response_types_supported']));
  expect(new Set(scopes)).toEqual(new Set(document['scopes_supported']));
  expect(acrValues).toEqual(document['acr_values_supported'] ?? []);
});

it('includes the grant types that the team adds', () => {
  expect(performedBy({}, ['urn:example:grant']).grantTypes).toContain('urn:example:grant');
});
