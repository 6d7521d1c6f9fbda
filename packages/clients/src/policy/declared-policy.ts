import { applyPolicy, type MetadataPolicy, type PolicyOperator } from '@vestibule/federation';
import { DomainError, type JsonObject } from '@vestibule/protocol';
import type { DeclaredPolicies } from './declared-policies.js';
import { CLIENT, membersOf, policyOfMembers } from './member-policy.js';
import type { PolicyQuestion, RegistrationPolicy } from './registration-policy.js';

/**
 * The policy that an operator declared. A client's own updates are judged by the policy of how it was registered, so
 * that it can reach nothing by them that its registration would have been refused; where that may have been with either
 * token, by both. Operators on the store itself go by the policy of the master token, entities of federations by those
 * of their superiors alone.
 */
export function declaredPolicy(policies: DeclaredPolicies): RegistrationPolicy {
  const judges: Judges = {
    anonymous: judgeOf(policies.anonymous),
    initialAccessToken: judgeOf(policies.initialAccessToken),
    masterToken: judgeOf(policies.masterToken),
    eitherToken: judgeOf(policies.eitherToken),
  };
  return {
    judge: (question) => {
      const registrant = registrantOf(question);
      return registrant === 'entity' ? question.metadata : judges[registrant](question.metadata);
    },
  };
}

type Judges = Readonly<Record<keyof DeclaredPolicies, Judge>>;

/** @throws DomainError `invalid_redirect_uri` or `invalid_client_metadata`. */
type Judge = (metadata: JsonObject) => JsonObject;

function registrantOf({ authority, client }: PolicyQuestion): keyof DeclaredPolicies | 'entity' {
  if (authority === 'federation') return 'entity';
  if (authority === 'anonymous') return 'anonymous';
  if (authority === 'initial_access_token') return 'initialAccessToken';
  if (authority !== 'registration_access_token') return 'masterToken';
  if (client?.origin === 'open_registration') return 'anonymous';
  // Only a client with all rights may be one of the master token's.
  return client === undefined || client.rights.grantTypes === 'any' ? 'eitherToken' : 'initialAccessToken';
}

function judgeOf(policy: MetadataPolicy): Judge {
  const policyOfVariants = variantPolicy(policy);
  return (metadata) => {
    const members = Object.entries(metadata);
    const plain = members.filter(([name]) => !name.includes('#'));
    const variants = members.flatMap(([name, value]) => {
      const [member = '', tag] = name.split('#', 2);
      if (tag === undefined) return [];
      const permitted = apply(policyOfVariants, { [member]: value })[member];
      return permitted === undefined ? [] : [[name, permitted] as const];
    });
    return { ...apply(policy, Object.fromEntries(plain)), ...Object.fromEntries(variants) };
  };
}

/**
 * What holds for the language-tagged variants of a member, whatever the tag: they are among the values that it may
 * have, and gone where it is set. Otherwise a client could show another name to readers of another language.
 */
function variantPolicy(policy: MetadataPolicy): MetadataPolicy {
  const ofVariants = Object.entries(membersOf(policy)).map(
    ([member, { value, one_of }]): [string, JsonObject] => [
      member,
      value !== undefined ? { value: null } : one_of !== undefined ? { one_of } : {},
    ],
  );
  return policyOfMembers(Object.fromEntries(ofVariants));
}

function apply(policy: MetadataPolicy, members: JsonObject): JsonObject {
  const application = applyPolicy(policy, { [CLIENT]: members });
  if (application.ok) return checkedScope(policy, application.metadata[CLIENT] ?? {});
  const broken = application.steps.at(-1);
  if (broken === undefined) throw application.failure;
  throw refusal(broken.parameter, broken.operator);
}

// A scope without words is not registered, so that it is missing where it is essential.
function checkedScope(policy: MetadataPolicy, members: JsonObject): JsonObject {
  const isEssential = policy.get(CLIENT)?.get('scope')?.essential === true;
  if (isEssential && members['scope'] === '') throw refusal('scope', 'essential');
  return members;
}

function refusal(member: string, operator: PolicyOperator): DomainError {
  const code = member === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
  return new DomainError(
    code,
    `The client metadata member ${member} breaks the rule ${operator} of the policy.`,
  );
}
