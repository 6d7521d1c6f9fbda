import type { Client } from '@vestibule/clients';
import { isSecretExpired } from '@vestibule/clients/registration';
import { NO_DIGEST } from '@vestibule/crypto/data-keys';
import { type ClientId, nowSeconds } from '@vestibule/protocol';
import type { ClientAuthMethod } from '@vestibule/protocol/constants';
import type { ClientAuthDeps } from '../client-auth-deps.js';
import { type ClientRefusal, undisclosedRefusal, undisclosedRefusalOf } from '../client-refusal.js';
import type { PresentedCredential } from '../presented-credential.js';
import { isOverlappingSecret } from './overlapping-secrets.js';

/**
 * A client secret in plain text, which may have been sent with any of the methods. While a digest key cannot be opened, a secret
 * cannot be refused: checking it throws `KeyEncryptionError`.
 */
export function clientSecretProof(
  methods: readonly ClientAuthMethod[],
  clientId: ClientId,
  secret: string,
): PresentedCredential {
  return {
    methods,
    clientId,
    whyRefused: async (deps, client) => {
      const { digester, clock } = deps;
      const stored = client?.secret;
      // Throws for an unknown client too, so that the response is the same.
      const verdict = await digester.find<{ readonly refusal: ClientRefusal | undefined }>(async () => {
        // Always compared, so that an unknown client takes the same time.
        const isCurrent = digester.matchesAvailable('client-secret', secret, stored?.digest ?? NO_DIGEST);
        const isValid = isCurrent && stored !== undefined && !isSecretExpired(stored, nowSeconds(clock));
        if (isValid || (await isOverlappingSecret(deps, clientId, secret))) return { refusal: undefined };
        if (client?.secretHash !== undefined)
          return { refusal: undisclosedRefusalOf(await whyHashRefused(deps, client, { methods, secret })) };
        return isCurrent ? { refusal: undisclosedRefusal('the secret has expired') } : undefined;
      });
      if (verdict !== undefined) return verdict.refusal;
      return undisclosedRefusal(stored === undefined ? 'the client has no secret' : 'the secret is wrong');
    },
  };
}

/** Nothing is verified for other methods than the registered one: it takes time and would convert the hash. */
async function whyHashRefused(
  { importedSecrets }: ClientAuthDeps,
  client: Client,
  { methods, secret }: { readonly methods: readonly ClientAuthMethod[]; readonly secret: string },
): Promise<string | undefined> {
  if (!methods.some((name) => name === client.metadata.token_endpoint_auth_method))
    return 'the client registered another authentication method';
  if (importedSecrets === undefined) return 'secrets imported as hashes are not supported';
  return (await importedSecrets.isProven(client, secret))
    ? undefined
    : 'the secret is not the one whose hash was imported, or has expired';
}
