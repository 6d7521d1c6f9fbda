import {
  endpointAudiences,
  whyAssertionUnfit,
  whySignedAssertionRefused,
} from '@vestibule/client-auth/assertions';
import { parseClientId } from '@vestibule/protocol';
import type { ProviderClient, ProviderContext } from 'oidc-provider';
import { AUTHENTICATED_ROUTES, invalidClient } from './client-refusals.js';
import type { ProviderDeps } from './provider-deps.js';

type AssertionDeps = Pick<ProviderDeps, 'issuer' | 'clock' | 'replays' | 'provider'>;

/**
 * Validates a client assertion beyond the checks of the library, after its signature is verified: the rules of every
 * service apply here too, and an assertion can be used once across all of them (RFC 7523 section 3).
 */
export function checkAssertion(deps: AssertionDeps & Pick<ProviderDeps, 'clients'>) {
  const { clock, clients } = deps;
  return async (
    ctx: ProviderContext,
    _claims: unknown,
    _header: unknown,
    { clientId: id }: ProviderClient,
  ) => {
    const assertion = ctx.oidc.params?.['client_assertion'];
    const clientId = parseClientId(id);
    if (typeof assertion !== 'string' || clientId === undefined)
      throw new TypeError('there is no assertion to check');
    const assertions = assertionRules(deps, ctx);
    const client = await clients.find(clientId);
    const refusal = await whySignedAssertionRefused({ clock, assertions }, { assertion, clientId, client });
    if (refusal !== undefined) throw invalidClient(ctx, refusal);
  };
}

/** Refuses an assertion that cannot authenticate any client. The library would refuse some of them without a reason. */
export function refuseUnfitAssertion(deps: AssertionDeps, ctx: ProviderContext, id: string): void {
  const assertion = ctx.oidc.params?.['client_assertion'];
  const clientId = parseClientId(id);
  if (typeof assertion !== 'string' || clientId === undefined) return;
  const assertions = assertionRules(deps, ctx);
  const refusal = whyAssertionUnfit({ clock: deps.clock, assertions }, { assertion, clientId });
  if (refusal !== undefined) throw invalidClient(ctx, refusal);
}

function assertionRules({ issuer, replays, provider }: AssertionDeps, { oidc: { route } }: ProviderContext) {
  const { assertionMaxLifetimeSeconds: maxLifetimeSeconds, assertionAudience } = provider;
  const called = AUTHENTICATED_ROUTES.get(route);
  const addresses = called === undefined ? [] : endpointAudiences(assertionAudience, issuer, called);
  return { issuer, replays, maxLifetimeSeconds, endpointAudiences: addresses };
}
