import type { ExplicitRegistration } from '@vestibule/clients/registration';
import type { ResolutionContext } from '@vestibule/federation/chains';
import { federatedRegistration, isAddressed, type ResolvedRelyingParty } from '@vestibule/federation/clients';
import type { RegistrationTrust } from '@vestibule/federation/registration';
import type { Federation } from './deps.js';

/**
 * Evaluates the registration of a trusted entity.
 * @throws DomainError as `federatedRegistration`
 */
export async function explicitRegistration(
  federation: Federation & Pick<ResolutionContext, 'reader'>,
  trust: RegistrationTrust,
  relyingParty: ResolvedRelyingParty,
): Promise<ExplicitRegistration> {
  const addressed = isAddressed(relyingParty);
  return {
    ...(await federatedRegistration(federation, trust, { ...relyingParty.subject, isAddressed: addressed })),
    mayHaveSecret: addressed || federation.draftProfile !== 'keys_only',
  };
}
