import type { Store } from '@vestibule/database';
import { type Issuer, parseClientId } from '@vestibule/protocol';
import { revokeOwnToken } from '@vestibule/tokens/revocation';
import type { Provider, ProviderContext } from 'oidc-provider';
import { useIssuerAddresses } from '../issuer-addresses.js';
import { revokeBesideLibrary } from '../revoke-beside-library.js';
import { isolateListeners } from './isolated-listeners.js';

/** Events of the library after which a client was used. */
const USES = ['grant.success', 'pushed_authorization_request.success', 'authorization.success'];

/** What a provider needs besides its configuration. */
export interface ProviderExtensions {
  readonly issuer: Issuer;
  readonly store: Store;
  readonly onProblem: (problem: string) => void;
}

/**
 * Makes a provider use the addresses of its issuer, revoke tokens of every kind, record uses of clients, and survive
 * listeners that throw.
 */
export function extendProvider(provider: Provider, { issuer, store, onProblem }: ProviderExtensions): void {
  const { database, digester, clock, providerKeys: keys, clientUses } = store;
  const { accessTokens, revocations } = database;
  const own = { clock, issuer, digester, keys, accessTokens, revocations };
  useIssuerAddresses(provider, issuer);
  provider.use(
    revokeBesideLibrary({ digester, revokeOwnToken: (owner, token) => revokeOwnToken(own, owner, token) }),
  );
  for (const event of USES)
    provider.on(event, ({ oidc }: ProviderContext) => {
      const id = parseClientId(oidc.client?.clientId);
      if (id !== undefined) clientUses.record({ id });
    });
  isolateListeners(provider, onProblem);
}
