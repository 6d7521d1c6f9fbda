import { type MetadataPolicy, mergePolicies } from '@vestibule/metadata/policy';
import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol';
import { plainName } from '../import/entry-members.js';
import { encryptionProblems } from './encryption-problems.js';
import {
  memberPolicyProblems,
  operatorsByMember,
  policyOfMembers,
  withRegisteredSpelling,
} from './member-policy.js';

/** Whom a policy can be declared for; `any` is everyone. */
const SECTIONS = ['any', 'anonymous', 'initial_access_token', 'master_token'] as const;

/** Policies on client metadata by who registers. */
export interface DeclaredPolicies {
  readonly anonymous: MetadataPolicy;
  readonly initialAccessToken: MetadataPolicy;
  readonly masterToken: MetadataPolicy;
  /** For clients that may have been registered with either token. */
  readonly eitherToken: MetadataPolicy;
}

/**
 * Reads policies on registration: by who registers, by member of the metadata, the operators of OpenID Federation 1.0
 * section 6.1. Those for `any` are merged into the others as a superior's are (section 6.1.4.1).
 * @throws TypeError that tells every problem: names and operators that are unknown, operands that are not of a type
 *   that operator and member take; where there is none of those, every contradiction; and then every content
 *   encryption that clients are given without its key management.
 */
export function parseDeclaredPolicies(value: unknown): DeclaredPolicies {
  if (!isJsonObject(value)) throw new TypeError('must be a JSON object of policies by who registers');
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
  const eitherToken = merge(initialAccessToken, masterToken);
  refuse(contradictions);
  refuse(
    [anonymous, initialAccessToken, masterToken].flatMap(({ name, policy }) =>
      encryptionProblems(policy).map((problem) => `${name}: ${problem}`),
    ),
  );
  return {
    anonymous: anonymous.policy,
    initialAccessToken: initialAccessToken.policy,
    masterToken: masterToken.policy,
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

/** Merges member by member, so that every contradiction is told. */
function mergeByMember(
  superior: MetadataPolicy,
  subordinate: MetadataPolicy,
  tell: (member: string, why: string) => void,
): MetadataPolicy {
  const [above, below] = [operatorsByMember(superior), operatorsByMember(subordinate)];
  const merged = Object.entries(below).map(([member, own]): [string, JsonObject] => {
    const inherited = above[member];
    if (inherited === undefined) return [member, own];
    const both = mergePolicies(policyOfMembers({ [member]: inherited }), policyOfMembers({ [member]: own }));
    if (!both.ok) tell(member, both.failure.message);
    return [member, both.ok ? (operatorsByMember(both.policy)[member] ?? {}) : own];
  });
  return policyOfMembers({ ...above, ...Object.fromEntries(merged) });
}
