import {
  type AcceptedAutomaticRegistration,
  acceptAutomaticMetadata,
} from '@vestibule/clients/federation-registration';
import type { ResolutionContext } from '../../chains/resolve-trust.js';
import { FederationFailure } from '../../federation-failure.js';
import type { AutomaticRequest } from '../../registration/automatic-request.js';
import { refusalOf } from '../../registration/refusals.js';
import { requireTrust } from '../../registration/resolve-registration.js';
import type { ParsedConfiguration } from '../../statements/entity-statement.js';
import { federatedRegistration } from '../federated-registration.js';
import { openResolution, resolveRelyingParty } from '../resolve-relying-party.js';
import type { AutomaticRegistrationDeps } from './automatic-registration-deps.js';

/** The resolved entity, with the chains that came with the request. */
export type ResolvedEntity = Pick<AutomaticRequest, 'clientId' | 'chain' | 'peerChain'>;

/**
 * Resolves what an entity would be registered with now: by the chain that it sent, or one that is resolved.
 * @throws DomainError `unauthorized_client` if it is untrusted, `too_many_requests` for lack of capacity, or as
 *   `acceptAutomaticMetadata`
 */
export async function resolveEntity(
  deps: AutomaticRegistrationDeps,
  { clientId, chain, peerChain }: ResolvedEntity,
): Promise<AcceptedAutomaticRegistration> {
  const context = await openResolution(deps, { profile: 'final', isExhaustive: false });
  const subject = chain?.subject ?? (await configurationOf(context, clientId));
  const relyingParty = { subject, chain, peerChain, isRequest: false };
  const trust = requireTrust(await resolveRelyingParty(deps, relyingParty, context));
  const terms = { ...deps, reader: context.reader };
  const registration = await federatedRegistration(terms, trust, { ...subject, isAddressed: true });
  const metadata = await acceptAutomaticMetadata(deps.registration, registration);
  return { ...registration, metadata };
}

async function configurationOf(
  { reader }: ResolutionContext,
  clientId: AutomaticRequest['clientId'],
): Promise<ParsedConfiguration> {
  try {
    return await reader.configuration(clientId);
  } catch (cause) {
    if (!(cause instanceof FederationFailure)) throw cause;
    throw refusalOf(cause, { issuer: clientId, subject: clientId });
  }
}
