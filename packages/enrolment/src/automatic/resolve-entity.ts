import { type AcceptedAutomaticRegistration, acceptAutomaticMetadata } from '@vestibule/clients';
import {
  type AutomaticRequest,
  FederationFailure,
  type ParsedConfiguration,
  type ResolutionContext,
  refusalOf,
  requireTrust,
} from '@vestibule/federation';
import { federatedRegistration } from '../federated-registration.js';
import { openResolution, resolveRelyingParty } from '../resolve-relying-party.js';
import type { AutomaticEnrolment } from './automatic-enrolment.js';

/** Who is resolved, with the chains that came with the request. */
export type ResolvedEntity = Pick<AutomaticRequest, 'clientId' | 'chain' | 'peerChain'>;

/**
 * Finds out what an entity would be registered with now: by the chain that it brought, or one that is looked for.
 * @throws DomainError `unauthorized_client` when it cannot be trusted, `too_many_requests` for want of capacity, or as `acceptAutomaticMetadata`
 */
export async function resolveEntity(
  enrolment: AutomaticEnrolment,
  { clientId, chain, peerChain }: ResolvedEntity,
): Promise<AcceptedAutomaticRegistration> {
  const context = await openResolution(enrolment, { profile: 'final', isExhaustive: false });
  const subject = chain?.subject ?? (await configurationOf(context, clientId));
  const relyingParty = { subject, chain, peerChain, isRequest: false };
  const trust = requireTrust(await resolveRelyingParty(enrolment, relyingParty, context));
  const terms = { ...enrolment, reader: context.reader };
  const registration = await federatedRegistration(terms, trust, { ...subject, isAddressed: true });
  const metadata = await acceptAutomaticMetadata(enrolment.registration, registration);
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
