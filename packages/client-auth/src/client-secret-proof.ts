import { type Client, type ClientSecret, isSecretExpired } from '@vestibule/clients';
import { NO_DIGEST, requireEveryKey } from '@vestibule/crypto';
import { type ClientAuthMethod, type ClientId, type Clock, nowSeconds } from '@vestibule/protocol';
import type { ClientAuthDeps } from './client-auth-deps.js';
import { undisclosedRefusal, undisclosedRefusalOf } from './client-refusal.js';
import { isLiveEarlierSecret } from './live-earlier-secrets.js';
import type { PresentedCredential } from './presented-credential.js';

/**
 * A client secret in clear, presented for one of the methods that send it so. While a key for digests cannot be opened,
 * nobody can tell that a secret is wrong: judging it throws `KeyEncryptionError`.
 */
export function clientSecretProof(
  method: ClientAuthMethod,
  clientId: ClientId,
  secret: string,
): PresentedCredential {
  return {
    methods: [method],
    clientId,
    whyRefused: async (deps, client) => {
      const { digester, clock } = deps;
      const stored = client?.secret;
      const hasEveryKey = digester.hasEveryKey();
      // Compared in any case: an unknown client takes the time of a known one.
      const isCurrent = digester.matches('client-secret', secret, stored?.digest ?? NO_DIGEST);
      const reason = whyCurrentRefused(clock, stored, isCurrent);
      if (reason === undefined || (await isLiveEarlierSecret(deps, clientId, secret))) return undefined;
      if (client?.secretHash !== undefined)
        return undisclosedRefusalOf(await whyHashRefused(deps, client, { method, secret }));
      // Of an unknown client, too: the response is that about a known one.
      requireEveryKey(isCurrent || hasEveryKey);
      return undisclosedRefusal(reason);
    },
  };
}

/** Nothing is verified for another method than the registered one: that takes time, and would take the secret over. */
async function whyHashRefused(
  { importedSecrets }: ClientAuthDeps,
  client: Client,
  { method, secret }: { readonly method: ClientAuthMethod; readonly secret: string },
): Promise<string | undefined> {
  if (client.metadata.token_endpoint_auth_method !== method)
    return 'the client registered another authentication method';
  if (importedSecrets === undefined) return 'secrets that were imported as hashes are not accepted here';
  return (await importedSecrets.isProven(client, secret))
    ? undefined
    : 'the secret is not the one whose hash was imported, or has expired';
}

function whyCurrentRefused(clock: Clock, stored: ClientSecret | undefined, matches: boolean) {
  if (stored === undefined) return 'the client has no secret';
  if (!matches) return 'the secret is wrong';
  return isSecretExpired(stored, nowSeconds(clock)) ? 'the secret has expired' : undefined;
}
