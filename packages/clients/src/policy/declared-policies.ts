import { ALGORITHM_MEMBERS } from '@vestibule/metadata';
import { type MetadataPolicy, mergePolicies } from '@vestibule/metadata/policy';
import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import { plainName } from '../import/entry-members.js';
import {
  memberPolicyProblems,
  operatorsByMember,
  policyOfMembers,
  withRegisteredSpelling,
} from './member-policy.js';

/** Sections of a declared policy; `any` applies to every registration. */
const SECTIONS = ['any', 'anonymous', 'initial_access_token', 'master_token', 'metadata_document'] as const;

/** Policies on client metadata by credential. */
export interface DeclaredPolicies {
  readonly anonymous: MetadataPolicy;
  readonly initialAccessToken: MetadataPolicy;
  readonly masterToken: MetadataPolicy;
  readonly metadataDocument: MetadataPolicy;
  /** For clients that may have been registered with either token. */
  readonly eitherToken: MetadataPolicy;
}

/**
 * Parses registration policies: by credential and metadata member, the operators of OpenID Federation 1.0 section 6.1.
 * Those of `any` are merged into the others like a superior's (section 6.1.4.1).
 * @throws TypeError that lists every problem: unknown names and operators, and operands of a type that operator or
 *   member do not take; if there is none, every contradiction; then every content encryption that clients get without
 *   its key management.
 */
export function parseDeclaredPolicies(value: unknown): DeclaredPolicies {
  if (!isJsonObject(value))
    throw new TypeError(
      'must be a JSON object of policies by credential (any, anonymous, initial_access_token, master_token, metadata_document)',
    );
  refuse(Object.entries(value).flatMap(([section, members]) => sectionProblems(section, members)));
  const contradictions: string[] = [];
  const merge = (one: NamedPolicy, other: NamedPolicy): NamedPolicy => ({
    name: other.name,
    policy: mergeByMember(one.policy, other.policy, (member, why) => {
      contradictions.push(`${one.name} and ${other.name} contradict each other on ${member}: ${why}`);
    }),
  });
  const read = (name: (typeof SECTIONS)[number]): NamedPolicy => ({ name, policy: readSection(value[name]) });
  const any = read('any');
  const anonymous = merge(any, read('anonymous'));
  const initialAccessToken = merge(any, read('initial_access_token'));
  const masterToken = merge(any, read('master_token'));
  const metadataDocument = merge(any, read('metadata_document'));
  const eitherToken = merge(initialAccessToken, masterToken);
  refuse(contradictions);
  refuse(
    [anonymous, initialAccessToken, masterToken, metadataDocument].flatMap(({ name, policy }) =>
      encryptionProblems(policy).map((problem) => `${name}: ${problem}`),
    ),
  );
  return {
    anonymous: anonymous.policy,
    initialAccessToken: initialAccessToken.policy,
    masterToken: masterToken.policy,
    metadataDocument: metadataDocument.policy,
    eitherToken: eitherToken.policy,
  };
}

interface NamedPolicy {
  readonly name: string;
  readonly policy: MetadataPolicy;
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new TypeError(problems.join('; '));
}

function sectionProblems(section: string, members: JsonValue): readonly string[] {
  const sections: readonly string[] = SECTIONS;
  if (!sections.includes(section)) return [`${plainName(section)} is none of ${sections.join(', ')}`];
  if (!isJsonObject(members)) return [`${section} must be an object of policies by member`];
  return Object.entries(members).flatMap(([member, policy]) =>
    memberPolicyProblems(member, policy).map((problem) => `${section}.${plainName(member)}: ${problem}`),
  );
}

function readSection(members: JsonValue | undefined): MetadataPolicy {
  if (!isJsonObject(members)) return policyOfMembers({});
  const policies = Object.entries(members);
  return policyOfMembers(
    Object.fromEntries(policies.map(([member, policy]) => [member, withRegisteredSpelling(member, policy)])),
  );
}

/** Merges member by member, to report every contradiction. */
function mergeByMember(
  superior: MetadataPolicy,
  subordinate: MetadataPolicy,
  report: (member: string, why: string) => void,
): MetadataPolicy {
  const [above, below] = [operatorsByMember(superior), operatorsByMember(subordinate)];
  const merged = Object.entries(below).map(([member, own]): [string, JsonObject] => {
    const inherited = above[member];
    if (inherited === undefined) return [member, own];
    const both = mergePolicies(policyOfMembers({ [member]: inherited }), policyOfMembers({ [member]: own }));
    if (!both.ok) report(member, both.failure.message);
    return [member, both.ok ? (operatorsByMember(both.policy)[member] ?? {}) : own];
  });
  return policyOfMembers({ ...above, ...Object.fromEntries(merged) });
}

/**
 * Finds policies that give clients a content encryption without ensuring its key management: they would refuse every
 * client that does not ask for encryption (OpenID Connect Dynamic Client Registration 1.0 section 2).
 */
function encryptionProblems(policy: MetadataPolicy): readonly string[] {
  const operators = operatorsByMember(policy);
  return Object.values(ALGORITHM_MEMBERS).flatMap(({ encryption, contentEncryption }) => {
    const isWhole = isGiven(operators[encryption]) || operators[encryption]?.['essential'] === true;
    return !isGiven(operators[contentEncryption]) || isWhole
      ? []
      : [`${contentEncryption} has a value or default; ${encryption} needs one too, or essential`];
  });
}

/** Whether the operators on a member ensure that it is present. */
function isGiven({ value = null, default: otherwise = null }: JsonObject = {}): boolean {
  return value !== null || otherwise !== null;
}
