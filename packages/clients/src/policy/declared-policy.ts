import { isBlankText } from '@vestibule/metadata';
import { readLanguageName } from '@vestibule/metadata/language-names';
import { applyPolicy, type MetadataPolicy, type PolicyOperator } from '@vestibule/metadata/policy';
import { DomainError } from '@vestibule/protocol';
import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import type { ClientRegistrar } from '../client.js';
import type { DeclaredPolicies } from './declared-policies.js';
import { CLIENT, hasDefault, operatorsByMember, policyOfMembers } from './member-policy.js';
import type { PolicySubject, RegistrationPolicy } from './registration-policy.js';

/**
 * Builds the registration policy from the operator's declaration. A client's own updates use the section under which it
 * was registered, so that they cannot reach what its registration would have been refused; if that is unknown, both
 * token sections apply. Operators who work on the store use the section of the master token, federation entities only
 * the policies of their superiors.
 *
 * A declared default replaces the built-in one, before the other operators. On a member without a built-in default it
 * applies in its place among them (OpenID Federation 1.0 section 6.1.3.1).
 */
export function declaredPolicy(policies: DeclaredPolicies): RegistrationPolicy {
  const parts: Parts = {
    anonymous: partOf(policies.anonymous),
    initialAccessToken: partOf(policies.initialAccessToken),
    masterToken: partOf(policies.masterToken),
    metadataDocument: partOf(policies.metadataDocument),
    eitherToken: partOf(policies.eitherToken),
  };
  return {
    defaults: (policySubject) => {
      const registrant = registrantOf(policySubject);
      return registrant === 'entity' ? {} : parts[registrant].defaults;
    },
    evaluate: (request) => {
      const registrant = registrantOf(request);
      return registrant === 'entity' ? request.metadata : parts[registrant].evaluate(request.metadata);
    },
  };
}

/** The policy for one kind of credential. */
interface Part {
  /** Defaults of members that have a built-in default. */
  readonly defaults: JsonObject;
  readonly evaluate: Evaluate;
}

type Parts = Readonly<Record<keyof DeclaredPolicies, Part>>;

/** @throws DomainError `invalid_redirect_uri` or `invalid_client_metadata`. */
type Evaluate = (metadata: JsonObject) => JsonObject;

function partOf(policy: MetadataPolicy): Part {
  return { defaults: defaultsOf(policy), evaluate: evaluateOf(policy) };
}

function defaultsOf(policy: MetadataPolicy): JsonObject {
  const declared = Object.entries(operatorsByMember(policy)).flatMap(([member, operators]) =>
    operators['default'] === undefined || !hasDefault(member)
      ? []
      : [[member, operators['default']] as const],
  );
  return Object.fromEntries(declared);
}

function registrantOf({ authority, client }: PolicySubject): keyof DeclaredPolicies | 'entity' {
  if (authority === 'federation') return 'entity';
  if (authority === 'metadata_document') return 'metadataDocument';
  if (authority === 'anonymous') return 'anonymous';
  if (authority === 'initial_access_token') return 'initialAccessToken';
  if (authority !== 'registration_access_token') return 'masterToken';
  if (client?.origin === 'open_registration') return 'anonymous';
  if (client?.registrar !== undefined) return OF_REGISTRAR[client.registrar];
  // In earlier versions, clients of the master token had all granted scopes.
  return client === undefined || client.grantedScopes.grantTypes === 'any'
    ? 'eitherToken'
    : 'initialAccessToken';
}

const OF_REGISTRAR = {
  master_token: 'masterToken',
  initial_access_token: 'initialAccessToken',
} as const satisfies Readonly<Record<ClientRegistrar, keyof DeclaredPolicies>>;

function evaluateOf(policy: MetadataPolicy): Evaluate {
  const policyOfVariants = variantPolicy(policy);
  return (metadata) => {
    const members = Object.entries(metadata);
    const plain = members.filter(([name]) => readLanguageName(name).tag === undefined);
    const variants = members.flatMap(([name, value]) => {
      const { member, tag } = readLanguageName(name);
      if (tag === undefined) return [];
      const permitted = apply(policyOfVariants, { [member]: value })[member];
      return permitted === undefined ? [] : [[name, permitted] as const];
    });
    return { ...apply(policy, Object.fromEntries(plain)), ...Object.fromEntries(variants) };
  };
}

/**
 * Extends a policy to language-tagged variants, whatever the tag: they are checked like the member, and removed where
 * it is set. Otherwise a client could show another name to readers of another language.
 */
function variantPolicy(policy: MetadataPolicy): MetadataPolicy {
  const ofVariants = Object.entries(operatorsByMember(policy)).map(
    ([member, { value, one_of }]): [string, JsonObject] => [
      member,
      value !== undefined ? { value: null } : one_of !== undefined ? { one_of } : {},
    ],
  );
  return policyOfMembers(Object.fromEntries(ofVariants));
}

function apply(policy: MetadataPolicy, members: JsonObject): JsonObject {
  const application = applyPolicy(policy, { [CLIENT]: members });
  if (application.ok) return withEssentials(policy, application.metadata[CLIENT] ?? {});
  const broken = application.steps.at(-1);
  if (broken === undefined) throw application.failure;
  throw refusal(broken.parameter, broken.operator);
}

// Federation requires only that the member is present; here an empty value counts as missing.
function withEssentials(policy: MetadataPolicy, members: JsonObject): JsonObject {
  for (const [member, { essential }] of policy.get(CLIENT) ?? [])
    if (essential === true && holdsNothing(members[member])) throw refusal(member, 'essential');
  return members;
}

/** Whether a member is a blank string, an empty list or a key set without keys. */
function holdsNothing(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return isBlankText(value);
  const items = isJsonObject(value) ? (value['keys'] ?? []) : value;
  return Array.isArray(items) && items.length === 0;
}

function refusal(member: string, operator: PolicyOperator): DomainError {
  const code = member === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
  return new DomainError(code, `${member}: violates ${operator} of the registration policy`);
}
