import { revokeBesideLibrary, useIssuerAddresses } from '@vestibule/oidc-provider-adapter';
import { parseClientId } from '@vestibule/protocol';
import type { JWK } from 'jose';
import {
  Provider,
  type ProviderContext,
  type ProviderIdToken,
  type ProviderKeyStore,
  type ProviderToken,
} from 'oidc-provider';
import { watchRefusals } from './client-refusals.js';
import { addDefaultScope } from './default-scope.js';
import { isNamedByUrl } from './document-clients.js';
import { acceptEitherSpelling, nameRefusedResources } from './granted-resources.js';
import { providerConfiguration } from './provider-configuration.js';
import type { ProviderDeps } from './provider-deps.js';
import { keepShownClients } from './remembered-consent.js';

/** Creates a provider for one state of the key set. */
export function createProvider(deps: ProviderDeps, privateKeys: readonly JWK[]): Provider {
  const provider = new Provider(deps.issuer, providerConfiguration(deps, privateKeys));
  useIssuerAddresses(provider, deps.issuer);
  addDefaultScope(provider);
  acceptEitherSpelling(provider);
  nameRefusedResources(provider);
  addAccessTokenHash(provider);
  keepShownClients(provider);
  ignoreKeyIdsOfSecrets(provider);
  provider.use(revokeBesideLibrary(deps));
  watchRefusals(provider, deps.onRefusedClient);
  provider.on('error', deps.onProblem);
  provider.on('server_error', (_ctx: ProviderContext, error: unknown) => deps.onProblem(error));
  for (const event of ['grant.success', 'pushed_authorization_request.success', 'authorization.success'])
    provider.on(event, (ctx: ProviderContext) => noteUse(deps, ctx, event));
  return provider;
}

function noteUse({ clientUses }: ProviderDeps, { oidc }: ProviderContext, event: string): void {
  const id = parseClientId(oidc.client?.clientId);
  if (id === undefined) return;
  // Anyone can push a request as a client with a metadata document of their own, which would make it permanent.
  if (event === 'pushed_authorization_request.success' && isNamedByUrl(id)) return;
  clientUses.record({ id });
}

/**
 * Adds `at_hash` to ID tokens of the token endpoint (OpenID Connect Core section 3.1.3.6), where it is optional and the
 * library omits it. The library computes the hash of the access token when it signs the ID token.
 */
function addAccessTokenHash({ AccessToken, IdToken }: Provider): void {
  const texts = new WeakMap<ProviderToken, string>();
  const { save } = AccessToken.prototype;
  AccessToken.prototype.save = async function saveToken(this: ProviderToken, ...parameters) {
    const text = await save.apply(this, parameters);
    texts.set(this, text);
    return text;
  };
  const { issue } = IdToken.prototype;
  IdToken.prototype.issue = function bind(this: ProviderIdToken, ...parameters) {
    const [{ use }] = parameters;
    const accessToken = this.ctx?.oidc.entities.AccessToken;
    const text = accessToken && texts.get(accessToken);
    if (use === 'idtoken' && text !== undefined) this.set('at_hash', text);
    return issue.apply(this, parameters);
  };
}

/**
 * Lets the library verify and decrypt with the secret of a client whatever the `kid` of a message: a secret has no key
 * identifier, some client libraries invent one, and it is only a hint (RFC 7515 section 4.1.4). The library would find
 * no key for it.
 */
function ignoreKeyIdsOfSecrets({ Client }: Provider): void {
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
