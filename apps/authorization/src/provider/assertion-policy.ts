import { whySignedAssertionRefused } from '@vestibule/client-auth';
import { ENDPOINT_PATH, introspectionEndpoint, parseClientId } from '@vestibule/protocol';
import { errors, type ProviderClient, type ProviderContext } from 'oidc-provider';
import type { ProviderDeps } from './provider-deps.js';

/**
 * What a client assertion must be beyond what the library checks, after its signature is good: the rules of every
 * service hold here too, and an assertion is used once among all of them (RFC 7523 section 3).
 */
export function checkAssertion({ issuer, clock, replays, provider }: ProviderDeps) {
  const assertions = {
    issuer,
    replays,
    maxLifetimeSeconds: provider.assertionMaxLifetimeSeconds,
    endpointAudiences: provider.takesEndpointAudiences
      ? [issuer + ENDPOINT_PATH.token, introspectionEndpoint(issuer)]
      : [],
  };
  return async ({ oidc }: ProviderContext, _claims: unknown, _header: unknown, client: ProviderClient) => {
    const assertion = oidc.params?.['client_assertion'];
    const clientId = parseClientId(client.clientId);
    if (typeof assertion !== 'string' || clientId === undefined)
      throw new TypeError('an assertion was verified that is not there');
    const reason = await whySignedAssertionRefused({ clock, assertions }, { assertion, clientId });
    if (reason !== undefined) throw new errors.InvalidClientAuth(reason);
  };
}
