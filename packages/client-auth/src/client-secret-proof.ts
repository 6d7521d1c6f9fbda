import { type Client, isSecretExpired } from '@vestibule/clients';
import { NO_DIGEST } from '@vestibule/crypto';
import { type ClientAuthMethod, type ClientId, nowSeconds } from '@vestibule/protocol';
import type { ClientAuthDeps } from './client-auth-deps.js';
import { isLiveEarlierSecret } from './live-earlier-secrets.js';
import type { PresentedCredential } from './presented-credential.js';

/** A client secret in clear, presented for one of the methods that send it so. */
export function clientSecretProof(
  method: ClientAuthMethod,
  clientId: ClientId,
  secret: string,
): PresentedCredential {
  return {
    methods: [method],
    clientId,
    whyRefused: async (deps, client) => {
      const reason = whyCurrentRefused(deps, client, secret);
      if (reason === undefined) return undefined;
      return (await isLiveEarlierSecret(deps, clientId, secret)) ? undefined : reason;
    },
  };
}

function whyCurrentRefused(deps: ClientAuthDeps, client: Client | undefined, secret: string) {
  const { digester, clock } = deps;
  const stored = client?.secret;
  // Compared in any case: an unknown client takes the time of a known one.
  const matches = digester.matches('client-secret', secret, stored?.digest ?? NO_DIGEST);
  if (stored === undefined) return 'the client has no secret';
  if (!matches) return 'the secret is wrong';
  return isSecretExpired(stored, nowSeconds(clock)) ? 'the secret has expired' : undefined;
}
