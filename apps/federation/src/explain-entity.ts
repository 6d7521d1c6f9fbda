import { acceptExplicitMetadata, acceptFederatedMetadata } from '@vestibule/clients/federation-registration';
import { FederationFailure, type Profile, parseEntityId } from '@vestibule/federation';
import {
  explainResolution,
  type Resolution,
  type ResolutionContext,
  type TrustedExplanation,
  type UntrustedExplanation,
} from '@vestibule/federation/chains';
import {
  openResolution,
  type ResolvedRelyingParty,
  resolveRelyingParty,
} from '@vestibule/federation/clients';
import { readExplicitRequest, requireTrust, type StatementBody } from '@vestibule/federation/registration';
import type { ParsedConfiguration } from '@vestibule/federation/statements';
import { DomainError, type EpochSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { Federation } from './deps.js';
import { explicitRegistration } from './register-entity.js';

/** Why an entity may register or not, and the resulting registration: plain values that can be serialized as JSON. */
export type EntityExplanation =
  | UntrustedExplanation
  | (TrustedExplanation & {
      /** What would be registered. */
      readonly registration: { readonly metadata: JsonObject; readonly expiresAt: EpochSeconds };
    })
  | (TrustedExplanation & {
      /** Why the rules for client metadata refuse a trusted entity. */
      readonly refusal: { readonly error: string; readonly error_description: string };
    });

/** The entity to explain, and the profile by which its statements are validated. */
export interface ExplanationQuery {
  readonly sub: unknown;
  readonly profile: Profile;
}

/**
 * Explains every path from an entity to an anchor of ours, with its result. Changes nothing.
 * @throws DomainError `invalid_request` if `sub` is not an entity identifier
 */
export async function explainEntity(
  federation: Federation,
  { sub, profile }: ExplanationQuery,
): Promise<EntityExplanation> {
  const subject = parseEntityId(sub, federation.allowHosts);
  if (subject === undefined) throw new DomainError('invalid_request', 'sub: must be an entity identifier');
  const context = await openResolution(federation, { profile, isExhaustive: true });
  let configuration: ParsedConfiguration;
  try {
    configuration = await context.reader.configuration(subject);
  } catch (failure) {
    if (!(failure instanceof FederationFailure)) throw failure;
    const { reason, message: detail } = failure;
    return { subject, trusted: false, reason, detail, fetches: context.reader.fetches, paths: [] };
  }
  const relyingParty = { subject: configuration, chain: undefined, peerChain: undefined, isRequest: false };
  return explain(
    { ...federation, reader: context.reader },
    relyingParty,
    await resolveRelyingParty(federation, relyingParty, context),
  );
}

/**
 * Dry run of a registration: evaluates it as a real one and explains the result, but registers nothing.
 * @throws DomainError `invalid_request` as the registration would
 */
export async function dryRunEntity(
  federation: Federation,
  request: StatementBody,
): Promise<EntityExplanation> {
  const explicit = readExplicitRequest(request, federation);
  const context = await openResolution(federation, { profile: explicit.subject.profile, isExhaustive: true });
  const relyingParty = { ...explicit, isRequest: true };
  return explain(
    { ...federation, reader: context.reader },
    relyingParty,
    await resolveRelyingParty(federation, relyingParty, context),
  );
}

async function explain(
  federation: Federation & Pick<ResolutionContext, 'reader'>,
  relyingParty: ResolvedRelyingParty,
  resolution: Resolution,
): Promise<EntityExplanation> {
  const explanation = explainResolution(resolution);
  if (!explanation.trusted) return explanation;
  const accept = relyingParty.isRequest ? acceptExplicitMetadata : acceptFederatedMetadata;
  try {
    const wanted = await explicitRegistration(federation, requireTrust(resolution), relyingParty);
    const metadata = await accept(federation.registration, wanted);
    return { ...explanation, registration: { metadata: { ...metadata }, expiresAt: wanted.expiresAt } };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, cause } = error;
    const description =
      cause instanceof FederationFailure ? (error.detail ?? cause.message) : error.description;
    return { ...explanation, refusal: { error: code, error_description: description } };
  }
}
