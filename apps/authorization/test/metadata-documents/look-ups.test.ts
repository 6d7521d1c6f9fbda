import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import type { ProviderContext } from 'oidc-provider';
import { expect, it, onTestFinished } from 'vitest';
import { createProvider } from '../../src/provider/create-provider.js';
import { authorizationAddress, aVerifier } from '../support/code-flow.js';
import { createDocumentFixture } from '../support/document-fixture.js';

it('looks up each client of a request by its own document, and each once', async () => {
  const { deps, host } = await createDocumentFixture();
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const provider = createProvider(deps, [{ ...(await exportJWK(privateKey)), kid: 'key', alg: 'ES256' }]);
  const refused = host.publish('/refused.json', { client_secret: 'secret' });
  const good = host.publish('/good.json');
  const other = new Promise((resolve, reject) => {
    // Within the request, as the look-ups of the library are.
    provider.on('authorization.error', (_ctx: ProviderContext) => {
      provider.Client.find(good).then(resolve, reject);
    });
  });
  const server = createServer(provider.callback());
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const address = authorizationAddress({ client_id: refused }, aVerifier().challenge);
  const { status } = await fetch(`http://127.0.0.1:${port}${address}`);
  expect(status).toBe(400);
  expect(await other).toMatchObject({ clientId: good });
  expect([host.requested('/refused.json'), host.requested('/good.json')].map(({ length }) => length)).toEqual(
    [1, 1],
  );
});
