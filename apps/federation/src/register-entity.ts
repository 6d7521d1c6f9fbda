import {
  type ExplicitRegistration,
  registerFederatedClient,
} from '@vestibule/clients/federation-registration';
import { signJwt } from '@vestibule/crypto/jwt';
import type { ResolutionContext } from '@vestibule/federation/chains';
import {
  federatedRegistration,
  isAddressed,
  openResolution,
  type ResolvedRelyingParty,
  recheckDenyList,
  resolveRelyingParty,
} from '@vestibule/federation/clients';
import {
  type RegistrationTrust,
  readExplicitRequest,
  registrationStatement,
  requireTrust,
  type StatementBody,
} from '@vestibule/federation/registration';
import { nowSeconds } from '@vestibule/protocol';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import type { Federation } from './deps.js';
import { FEDERATION_ALGORITHM, type OwnStatement } from './own-statements.js';

/**
 * Registers a relying party explicitly, in the profile of its request (federation/API.md#register, OpenID Federation
 * 1.0 section 12.2): validates its statement, then the trust chain, then the metadata by the rules for all clients.
 * Returns the registration statement.
 * @throws DomainError `invalid_request` for errors that can be found without a key, `unauthorized_client` if the entity
 * cannot be trusted, or the errors of `registerFederatedClient` about its metadata
 */
export async function registerEntity(federation: Federation, request: StatementBody): Promise<OwnStatement> {
  const { clock, provider } = federation;
  const explicit = readExplicitRequest(request, federation);
  const { profile } = explicit.subject;
  const context = await openResolution(federation, { profile, isExhaustive: false });
  const relyingParty = { ...explicit, isRequest: true };
  const trust = requireTrust(await resolveRelyingParty(federation, relyingParty, context));
  const registration = await explicitRegistration(
    { ...federation, reader: context.reader },
    trust,
    relyingParty,
  );
  const registered = await registerFederatedClient(federation.registration, registration);
  await recheckDenyList(federation, registered.client_id, registration.membership);
  const { typ, claims, mediaType } = registrationStatement({
    profile,
    self: provider.self,
    trust,
    registered,
    issuedAt: nowSeconds(clock),
    expiresAt: registration.expiresAt,
  });
  const text = await signJwt({ key: provider.keys.signingKey(FEDERATION_ALGORITHM), typ, claims });
  return { contentType: CONTENT_TYPES[mediaType] ?? mediaType, text };
}

/** federation/API.md#profiles gives the media type of the draft profile a charset. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  [MEDIA_TYPE.jose]: `${MEDIA_TYPE.jose};charset=UTF-8`,
};

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
