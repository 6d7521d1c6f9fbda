import { isSoleAudience, sha256 } from '@vestibule/crypto';
import {
  ENDPOINT_PATH,
  epochSeconds,
  introspectionEndpoint,
  type JsonObject,
  nowSeconds,
} from '@vestibule/protocol';
import { errors, type ProviderClient, type ProviderContext } from 'oidc-provider';
import type { ProviderDeps } from './provider-deps.js';

/** What a clock may be behind. */
const LEEWAY_SECONDS = 30;

/**
 * What a client assertion must say beyond what the library checks, after its signature is good: it is for us alone, ends
 * soon, and is used once, at the endpoints of every service (RFC 7523 section 3).
 */
export function checkAssertion(deps: ProviderDeps) {
  const { issuer, clock, replays, provider } = deps;
  const audiences = provider.takesEndpointAudiences
    ? [issuer, issuer + ENDPOINT_PATH.token, introspectionEndpoint(issuer)]
    : [issuer];
  return async (_ctx: ProviderContext, claims: JsonObject, _header: unknown, client: ProviderClient) => {
    const { exp, jti } = claims;
    if (!isSoleAudience(claims, audiences)) throw new errors.InvalidClientAuth('aud is not our issuer alone');
    if (typeof exp !== 'number' || exp > nowSeconds(clock) + provider.assertionMaxLifetimeSeconds)
      throw new errors.InvalidClientAuth('exp is too far ahead');
    const digest = sha256(JSON.stringify(['client_assertion', client.clientId, jti]));
    const outcome = await replays.recordUse(digest, epochSeconds(Math.ceil(exp) + LEEWAY_SECONDS));
    if (outcome !== 'fresh') throw new errors.InvalidClientAuth(`the assertion is ${outcome}`);
  };
}
