import { type Client, type ClientSecret, isSecretExpired } from '@vestibule/clients';
import { NO_DIGEST, requireEveryKey } from '@vestibule/crypto';
import { type ClientAuthMethod, type ClientId, type Clock, nowSeconds } from '@vestibule/protocol';
import type { ClientAuthDeps } from './client-auth-deps.js';
import { undisclosedRefusal, undisclosedRefusalOf } from './client-refusal.js';
import { isOverlappingSecret } from './overlapping-secrets.js';
import type { PresentedCredential } from './presented-credential.js';

/**
 * A client secret in plain text, sent with one of the methods for that. While a digest key cannot be opened, a secret
 * cannot be refused: checking it throws `KeyEncryptionError`.
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
      // Always compared, so that an unknown client takes the same time.
      const isCurrent = digester.matches('client-secret', secret, stored?.digest ?? NO_DIGEST);
      const reason = whyCurrentRefused(clock, stored, isCurrent);
      if (reason === undefined || (await isOverlappingSecret(deps, clientId, secret))) return undefined;
      if (client?.secretHash !== undefined)
        return undisclosedRefusalOf(await whyHashRefused(deps, client, { method, secret }));
      // For an unknown client too, so that the response is the same.
      requireEveryKey(isCurrent || hasEveryKey);
      return undisclosedRefusal(reason);
    },
  };
}

/** Nothing is verified for another method than the registered one: it takes time and would convert the hash. */
async function whyHashRefused(
  { importedSecrets }: ClientAuthDeps,
  client: Client,
  { method, secret }: { readonly method: ClientAuthMethod; readonly secret: string },
): Promise<string | undefined> {
  if (client.metadata.token_endpoint_auth_method !== method)
    return 'the client registered another authentication method';
  if (importedSecrets === undefined) return 'secrets imported as hashes are not supported';
  return (await importedSecrets.isProven(client, secret))
    ? undefined
    : 'the secret is not the one whose hash was imported, or has expired';
}

function whyCurrentRefused(clock: Clock, stored: ClientSecret | undefined, matches: boolean) {
  if (stored === undefined) return 'the client has no secret';
  if (!matches) return 'the secret is wrong';
  return isSecretExpired(stored, nowSeconds(clock)) ? 'the secret has expired' : undefined;
}
