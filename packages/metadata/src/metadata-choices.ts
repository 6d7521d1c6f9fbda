import { HMAC_ALGORITHMS, SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS } from '@vestibule/protocol/constants';
import { ALGORITHM_MEMBERS } from './algorithm-members.js';
import { CHOICE_MEMBERS, choicesOfMember } from './choice-members.js';
import { type ClientKeys, keysOfClient } from './client-keys.js';
import { symmetricAlgorithmMembers } from './client-secret-need.js';
import { TLS_SUBJECT_MEMBERS } from './metadata-defaults.js';
import { invalidMetadata } from './metadata-error.js';
import type { MemberName, RecognizedMembers } from './metadata-schema.js';
import { ALGORITHM_USES, type SupportedMetadata } from './supported-metadata.js';

/** The lists of a request, by the names of {@link CHOICE_MEMBERS}. */
export type Choices = ReadonlyMap<string, readonly string[]>;

/** What a choice depends on: the request, and the choices made before. */
interface Decision {
  readonly members: RecognizedMembers;
  readonly choices: Choices;
  readonly supported: SupportedMetadata;
  readonly keys: ClientKeys;
}

/**
 * Adds the members that follow from lists of supported values. A given value stays if the server supports it. Otherwise
 * the server takes the first value of its own that the list contains and that the client has the keys for. Signatures
 * and encryption that need another key are left out; without a usable authentication method the rules refuse.
 * @throws DomainError `invalid_client_metadata` when a list does not contain the value that is given beside it, or no
 *   value that the server supports
 * @see OpenID Connect Relying Party Metadata Choices 1.0 sections 2 and 4
 */
export function withChoices(
  given: RecognizedMembers,
  choices: Choices,
  supported: SupportedMetadata,
): RecognizedMembers {
  const members: RecognizedMembers = { ...given };
  const decision = { members, choices, supported, keys: keysOfClient(given) };
  for (const [list, member] of CHOICE_MEMBERS) {
    const listed = choices.get(list);
    if (listed === undefined) continue;
    const value = chosenValue(decision, member, listed);
    if (value === undefined) delete members[member];
    else Object.assign(members, { [member]: value });
  }
  return members;
}

/** Members that always have a value, whose rules say what the client lacks for it. */
const NEEDED: readonly MemberName[] = [
  'subject_type',
  'token_endpoint_auth_method',
  'token_endpoint_auth_signing_alg',
  'id_token_signed_response_alg',
];

function chosenValue(decision: Decision, member: MemberName, listed: readonly string[]): unknown {
  const given = decision.members[member];
  const list = choicesOfMember(member) ?? member;
  if (given !== undefined && !listed.some((value) => value === given))
    throw invalidMetadata(list, `must contain the value of ${member}`);
  if (!hasEffect(decision, member)) return given;
  const known = supportedValues(decision.supported, member);
  const common = known.filter((value) => listed.includes(value));
  const [first] = common;
  if (first === undefined)
    throw invalidMetadata(list, `contains no value that is supported (supported: ${known.join(', ')})`);
  if (common.some((value) => value === given)) return given;
  return (
    common.find((value) => isUsable(decision, member, value)) ?? (NEEDED.includes(member) ? first : undefined)
  );
}

/** The algorithm of assertions is for methods with assertions, a content encryption for encrypted messages. */
function hasEffect({ members }: Decision, member: MemberName): boolean {
  if (member === 'token_endpoint_auth_signing_alg')
    return String(members.token_endpoint_auth_method).endsWith('_jwt');
  const encryption = ALGORITHM_USES.map((use) => ALGORITHM_MEMBERS[use]).find(
    ({ contentEncryption }) => contentEncryption === member,
  )?.encryption;
  return encryption === undefined || members[encryption] !== undefined;
}

function supportedValues(supported: SupportedMetadata, member: MemberName): readonly string[] {
  if (member === 'subject_type') return supported.subjectTypes;
  if (member === 'token_endpoint_auth_method') return supported.authMethods;
  if (member === 'token_endpoint_auth_signing_alg') return supported.authSigningAlgorithms;
  for (const use of ALGORITHM_USES) {
    for (const kind of ['signing', 'encryption', 'contentEncryption'] as const)
      if (ALGORITHM_MEMBERS[use][kind] === member) return supported.algorithms[use][kind];
  }
  return [];
}

function isUsable(decision: Decision, member: MemberName, value: string): boolean {
  const { keys, members } = decision;
  if (member === 'token_endpoint_auth_method') return isUsableMethod(decision, value);
  if (member === 'token_endpoint_auth_signing_alg')
    return (
      isOfMethod(String(members.token_endpoint_auth_method), value) &&
      (isHmac(value) || keys.canVerify(value))
    );
  if (isSymmetric(value)) return members.token_endpoint_auth_method !== 'none';
  if (member === 'request_object_signing_alg') return keys.canVerify(value);
  const isEncryptedToClient = ALGORITHM_USES.some(
    (use) => use !== 'request_object' && ALGORITHM_MEMBERS[use].encryption === member,
  );
  return !isEncryptedToClient || keys.canEncrypt(value);
}

function isUsableMethod(decision: Decision, method: string): boolean {
  const { keys, members } = decision;
  switch (method) {
    case 'none':
      return (
        members.grant_types?.includes('client_credentials') !== true &&
        symmetricAlgorithmMembers(members).length === 0
      );
    case 'client_secret_jwt':
      return assertionAlgorithms(decision).some(isHmac);
    case 'private_key_jwt':
      return assertionAlgorithms(decision).some((algorithm) => keys.canVerify(algorithm));
    case 'self_signed_tls_client_auth':
      return keys.haveCertificate();
    case 'tls_client_auth':
      return TLS_SUBJECT_MEMBERS.some((name) => members[name] !== undefined);
    default:
      return true;
  }
}

/** The algorithms that client assertions may have, as far as the request says. */
function assertionAlgorithms({ members, choices, supported }: Decision): readonly string[] {
  const { token_endpoint_auth_signing_alg: given } = members;
  const listed = choices.get('token_endpoint_auth_signing_alg_values_supported');
  return supported.authSigningAlgorithms.filter(
    (algorithm) => (given === undefined || given === algorithm) && (listed?.includes(algorithm) ?? true),
  );
}

function isOfMethod(method: string, algorithm: string): boolean {
  return isHmac(algorithm) === (method === 'client_secret_jwt');
}

function isHmac(algorithm: string): boolean {
  return HMAC_ALGORITHMS.some((hmac) => hmac === algorithm);
}

function isSymmetric(algorithm: string): boolean {
  return isHmac(algorithm) || SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS.some((known) => known === algorithm);
}
