import type { Provider, ProviderKeyStore } from 'oidc-provider';

/**
 * Lets the library verify and decrypt with the secret of a client whatever the `kid` of a message: a secret has no key
 * identifier, some client libraries invent one, and it is only a hint (RFC 7515 section 4.1.4). The library would find
 * no key for it.
 */
export function ignoreKeyIdsOfSecrets({ Client }: Provider): void {
  const { find } = Client;
  Client.find = async function findWithSecret(this: typeof Client, id) {
    const client = await find.call(this, id);
    if (client !== undefined) ignoreKeyIds(client.symmetricKeyStore);
    return client;
  };
}

/** The library caches clients between requests; those returned before are already patched. */
function ignoreKeyIds(store: ProviderKeyStore): void {
  if (Object.hasOwn(store, 'selectForVerify')) return;
  for (const select of ['selectForVerify', 'selectForDecrypt'] as const) {
    const selectOfLibrary = store[select];
    store[select] = ({ kid: _, ...options }) => selectOfLibrary.call(store, options);
  }
}
