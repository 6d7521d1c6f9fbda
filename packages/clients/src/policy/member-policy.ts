import {
  ClientMetadataSchema,
  completeClientMetadata,
  defaultSupportedMetadata,
  recogniseMembers,
  registeredResponseType,
} from '@vestibule/metadata';
import {
  type MetadataPolicy,
  POLICY_OPERATORS,
  PolicyFailure,
  type PolicyOperator,
  parseMetadataPolicy,
  policyToJson,
} from '@vestibule/metadata/policy';
import { DomainError, isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol';
import { plainName } from '../import/entry-members.js';

/** What policies on clients are kept under where the federation's language wants an entity type. */
export const CLIENT = 'client';

/** A policy on client metadata, by member. @throws PolicyFailure `policy_malformed`. */
export function policyOfMembers(members: JsonObject): MetadataPolicy {
  return parseMetadataPolicy({ [CLIENT]: members });
}

/** The operators of a policy on client metadata, by member. */
export function operatorsByMember(policy: MetadataPolicy): Readonly<Record<string, JsonObject>> {
  const members = policyToJson(policy)[CLIENT];
  if (!isJsonObject(members)) return {};
  return Object.fromEntries(
    Object.entries(members).map(([member, operators]) => [member, isJsonObject(operators) ? operators : {}]),
  );
}

/** What is wrong with the policy on one member, without its operands; nothing when it can be obeyed. */
export function memberPolicyProblems(member: string, policy: JsonValue): readonly string[] {
  if (!Object.hasOwn(ClientMetadataSchema.properties, member)) return ['no member of client metadata'];
  if (!isJsonObject(policy)) return ['must be an object of operators'];
  const operators = Object.entries(policy);
  const problems = operators.flatMap(([operator, operand]) => {
    const problem = isOperator(operator) ? operandProblem(member, operator, operand) : 'is no operator';
    return problem === undefined ? [] : [`${plainName(operator)} ${problem}`];
  });
  if (problems.length > 0) return problems;
  const malformed = malformation(member, withRegisteredSpelling(member, policy));
  return malformed === undefined ? [] : [malformed];
}

/** The policy on one member, operands spelled as the member is when it is registered. */
export function withRegisteredSpelling(member: string, policy: JsonValue): JsonValue {
  if (member !== 'response_types' || !isJsonObject(policy)) return policy;
  return Object.fromEntries(
    Object.entries(policy).map(([operator, operand]) => [operator, withRegisteredTypes(operand)]),
  );
}

function withRegisteredTypes(operand: JsonValue): JsonValue {
  if (!Array.isArray(operand)) return operand;
  return operand.map((item: JsonValue) => (typeof item === 'string' ? registeredResponseType(item) : item));
}

function isOperator(name: string): name is PolicyOperator {
  const operators: readonly string[] = POLICY_OPERATORS;
  return operators.includes(name);
}

const OPERATORS_OF_LISTS: readonly PolicyOperator[] = ['add', 'subset_of', 'superset_of'];

function operandProblem(member: string, operator: PolicyOperator, operand: JsonValue): string | undefined {
  if (malformation(member, { [operator]: operand }) !== undefined) return 'does not take such an operand';
  if (operator === 'essential') return undefined;
  if (member === 'software_statement') return 'cannot hold: statements are registered as they were signed';
  if (operator === 'value' && operand === null) {
    return hasDefault(member) ? 'cannot remove a member that has a default' : undefined;
  }
  if (OPERATORS_OF_LISTS.includes(operator) && !isList(member)) return 'is for members that are lists';
  if (operator === 'one_of' && isList(member) && member !== 'scope')
    return 'is for members that are no lists';
  return valuesOf(member, operator, operand).every((value) => isOfType(member, value))
    ? undefined
    : 'holds a value that is not of the type of the member';
}

function malformation(member: string, policy: JsonValue): string | undefined {
  try {
    policyOfMembers({ [member]: policy });
    return undefined;
  } catch (error) {
    if (error instanceof PolicyFailure) return error.message;
    throw error;
  }
}

/** Whether a member has a built-in default, be it beside others alone. */
export function hasDefault(member: string): boolean {
  const others = Object.keys(ClientMetadataSchema.properties).filter(
    (name) => name !== member && isOfType(name, SOME_TEXT),
  );
  const metadata = Object.fromEntries(others.map((name) => [name, SOME_TEXT]));
  return Object.hasOwn(completeClientMetadata(metadata, defaultSupportedMetadata()), member);
}

const SOME_TEXT = 'x';

/** `scope` is a list of words to policies, although it is registered as a text. */
function isList(member: string): boolean {
  const schemas: Readonly<Record<string, object>> = ClientMetadataSchema.properties;
  const schema = schemas[member];
  return member === 'scope' || (schema !== undefined && 'type' in schema && schema.type === 'array');
}

/** The values that a member may get by an operand, or must be among. */
function valuesOf(member: string, operator: PolicyOperator, operand: JsonValue): readonly JsonValue[] {
  if (!Array.isArray(operand)) return [operand];
  if (member !== 'scope') return operator === 'one_of' ? operand : [operand];
  return operand.flatMap((item: JsonValue) => item);
}

function isOfType(member: string, value: JsonValue): boolean {
  try {
    recogniseMembers({ [member]: value });
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
