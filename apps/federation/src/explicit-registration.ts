import type { ExplicitRegistration } from '@vestibule/clients';
import { federatedRegistration, isAddressed, type ResolvedApplicant } from '@vestibule/enrolment';
import type { RegistrationTrust, ResolutionContext } from '@vestibule/federation';
import type { Federation } from './deps.js';

/**
 * What a registration request would register, once its entity is trusted.
 * @throws DomainError as `federatedRegistration`
 */
export async function explicitRegistration(
  federation: Federation & Pick<ResolutionContext, 'reader'>,
  trust: RegistrationTrust,
  applicant: ResolvedApplicant,
): Promise<ExplicitRegistration> {
  const addressed = isAddressed(applicant);
  return {
    ...(await federatedRegistration(federation, trust, { ...applicant.subject, isAddressed: addressed })),
    mayHaveSecret: addressed || federation.olderDialect !== 'keys_only',
  };
}
