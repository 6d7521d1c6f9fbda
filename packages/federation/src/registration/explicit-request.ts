import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { JsonError, type JsonValue, parseJson } from '@vestibule/protocol/json';
import type { CandidateChain } from '../chains/candidate-chain.js';
import { MAX_GIVEN_LENGTH, MAX_GIVEN_STATEMENTS, readGivenChain } from '../chains/given-chain.js';
import type { EntityId } from '../entity-id.js';
import { FederationFailure } from '../federation-failure.js';
import type { DraftProfileUse, StatementRules } from '../profile.js';
import { decodeStatement } from '../statements/decode-statement.js';
import type { ParsedConfiguration, UnverifiedStatement } from '../statements/entity-statement.js';
import { parseConfiguration } from '../statements/parse-statement.js';
import { claimOf } from '../statements/statement-claims.js';
import { orMalformed } from './refusals.js';

/** The entity type that a relying party registers. */
export const RELYING_PARTY = 'openid_relying_party';

/** The entity type of the provider itself. */
export const PROVIDER = 'openid_provider';

/** A registration as received: well-formed and addressed to this provider, with nothing verified. */
export interface ExplicitRequest {
  /** The configuration of the relying party; the response has the same profile. */
  readonly subject: ParsedConfiguration;
  /** The chain that came with it; absent if one must be resolved. */
  readonly chain: CandidateChain | undefined;
  /** The chain about the provider that came with it (OpenID Federation 1.0 section 4.4). */
  readonly peerChain: CandidateChain | undefined;
}

/** A body and its media type, without parameters and in lower case. */
export interface StatementBody {
  readonly mediaType: string;
  readonly body: string;
}

/** The recipient of a request. */
export interface Recipient {
  /** Our own entity identifier. */
  readonly self: EntityId;
  readonly allowHosts: readonly string[];
}

/** The rules by which explicit registrations are parsed. */
export interface ExplicitRules extends Recipient {
  readonly draftProfile: DraftProfileUse;
}

/** Limit for a chain with its statements, including those in their headers. */
const MAX_BODY_LENGTH = 3 * MAX_GIVEN_LENGTH;

/**
 * Parses the body of an explicit registration: `application/jose` in the profile of federation/API.md#entity-statement,
 * `application/entity-statement+jwt` and `application/trust-chain+json` in that of OpenID Federation 1.0 section
 * 12.2.1.
 * @throws DomainError `invalid_request` for every defect that can be found without a key.
 */
export function readExplicitRequest(request: StatementBody, recipient: ExplicitRules): ExplicitRequest {
  return orMalformed(() => {
    const { profile, read } = readerOf(request.mediaType, recipient);
    if (request.body.length > MAX_BODY_LENGTH)
      throw new FederationFailure('malformed_statement', 'the body is too long');
    const rules: StatementRules = { profile, allowHosts: recipient.allowHosts };
    const explicit = read(request.body, rules);
    requireRegistration(explicit.subject, recipient);
    return explicit;
  });
}

interface BodyReader {
  readonly profile: StatementRules['profile'];
  readonly read: (body: string, rules: StatementRules) => ExplicitRequest;
}

function readerOf(mediaType: string, { draftProfile }: ExplicitRules): BodyReader {
  if (mediaType === MEDIA_TYPE.jose && draftProfile !== 'refused')
    return { profile: 'draft', read: readOlder };
  if (mediaType === MEDIA_TYPE.entityStatementJwt) return { profile: 'final', read: readStatement };
  if (mediaType === MEDIA_TYPE.trustChainJson) return { profile: 'final', read: readChain };
  throw new FederationFailure('malformed_statement', 'the media type is not one of a registration');
}

/** The draft profile has no chains in headers. */
function readOlder(body: string, rules: StatementRules): ExplicitRequest {
  const subject = parseConfiguration(decodeRequest(body), rules);
  return { subject, chain: undefined, peerChain: undefined };
}

function readStatement(body: string, rules: StatementRules): ExplicitRequest {
  const statement = decodeRequest(body);
  const subject = parseConfiguration(statement, rules);
  const given = claimOf(statement.header.members, 'trust_chain');
  return {
    subject,
    chain: given === undefined ? undefined : readGivenChain(given, rules, subject),
    peerChain: readPeerChain(statement, rules),
  };
}

function readChain(body: string, rules: StatementRules): ExplicitRequest {
  const tokens = parseTokens(body);
  const [first] = Array.isArray(tokens) ? tokens : [];
  if (typeof first !== 'string')
    throw new FederationFailure('given_chain', 'the chain is not a list of statements');
  const statement = decodeStatement(first);
  if (Object.hasOwn(statement.header.members, 'trust_chain'))
    throw new FederationFailure('header', 'the chain is in both the body and the header');
  const subject = parseConfiguration(statement, rules);
  return {
    subject,
    chain: readGivenChain(tokens, rules, subject),
    peerChain: readPeerChain(statement, rules),
  };
}

function readPeerChain({ header }: UnverifiedStatement, rules: StatementRules): CandidateChain | undefined {
  const given = claimOf(header.members, 'peer_trust_chain');
  return given === undefined ? undefined : readGivenChain(given, rules);
}

function decodeRequest(body: string): UnverifiedStatement {
  return decodeStatement(body, MAX_BODY_LENGTH);
}

function parseTokens(body: string): JsonValue {
  try {
    return parseJson(body, { maxDepth: 1, maxMembers: 0, maxElements: MAX_GIVEN_STATEMENTS });
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause;
    throw new FederationFailure('given_chain', 'the chain is not a short list of statements', cause);
  }
}

/** The requirements of a registration besides the rules of statements: an audience, superiors, and a relying party. */
function requireRegistration(
  { profile, audience, authorityHints, metadata }: ParsedConfiguration,
  { self, draftProfile }: ExplicitRules,
): void {
  const isForUs = audience?.length === 1 && audience[0] === self;
  const needsAudience = profile === 'final' || draftProfile === 'audience_required';
  const isForAnybody = audience === undefined && !needsAudience;
  if (!isForUs && !isForAnybody) throw new FederationFailure('audience', 'aud is not this provider alone');
  if (authorityHints.length === 0)
    throw new FederationFailure('authority_hints', 'authority_hints is missing');
  if (!Object.hasOwn(metadata, RELYING_PARTY))
    throw new FederationFailure('metadata', `metadata has no ${RELYING_PARTY}`);
}
