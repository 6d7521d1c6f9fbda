import {
  ClientMetadataSchema,
  completeClientMetadata,
  defaultSupportedMetadata,
  recognizeMembers,
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
import { DomainError } from '@vestibule/protocol';
import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import { plainName } from '../import/entry-members.js';

/** The entity type for policies on clients in the federation policy language. */
export const CLIENT = 'client';

/** Builds a client metadata policy from its members. @throws PolicyFailure `policy_malformed`. */
export function policyOfMembers(members: JsonObject): MetadataPolicy {
  return parseMetadataPolicy({ [CLIENT]: members });
}

/** Returns the operators of a client metadata policy by member. */
export function operatorsByMember(policy: MetadataPolicy): Readonly<Record<string, JsonObject>> {
  const members = policyToJson(policy)[CLIENT];
  if (!isJsonObject(members)) return {};
  return Object.fromEntries(
    Object.entries(members).map(([member, operators]) => [member, isJsonObject(operators) ? operators : {}]),
  );
}

/** Finds problems of the policy on one member, apart from its operands. */
export function memberPolicyProblems(member: string, policy: JsonValue): readonly string[] {
  if (!Object.hasOwn(ClientMetadataSchema.properties, member)) return ['is not a client metadata member'];
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

/** Spells the operands of a member's policy like the registered values. */
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
  if (malformation(member, { [operator]: operand }) !== undefined) return 'has an operand of the wrong type';
  if (operator === 'essential') return undefined;
  if (member === 'software_statement')
    return 'cannot be used: a software statement is registered as it was signed';
  if (operator === 'value' && operand === null) {
    return hasDefault(member) ? 'cannot remove a member that has a default' : undefined;
  }
  if (OPERATORS_OF_LISTS.includes(operator) && !isList(member)) return 'is only for members that are lists';
  if (operator === 'one_of' && isList(member) && member !== 'scope')
    return 'is only for members that are not lists';
  return valuesOf(member, operator, operand).every((value) => isOfType(member, value))
    ? undefined
    : 'has a value that is not of the type of the member';
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

/** Whether a member has a built-in default, possibly only beside others. */
export function hasDefault(member: string): boolean {
  const others = Object.keys(ClientMetadataSchema.properties).filter(
    (name) => name !== member && isOfType(name, SOME_TEXT),
  );
  const metadata = Object.fromEntries(others.map((name) => [name, SOME_TEXT]));
  return Object.hasOwn(completeClientMetadata(metadata, defaultSupportedMetadata()), member);
}

const SOME_TEXT = 'x';

/** Policies treat `scope` as a list of words, although it is registered as a string. */
function isList(member: string): boolean {
  const schemas: Readonly<Record<string, object>> = ClientMetadataSchema.properties;
  const schema = schemas[member];
  return member === 'scope' || (schema !== undefined && 'type' in schema && schema.type === 'array');
}

/** The values that an operand gives to or permits for a member. */
function valuesOf(member: string, operator: PolicyOperator, operand: JsonValue): readonly JsonValue[] {
  if (!Array.isArray(operand)) return [operand];
  if (member !== 'scope') return operator === 'one_of' ? operand : [operand];
  return operand.flatMap((item: JsonValue) => item);
}

function isOfType(member: string, value: JsonValue): boolean {
  try {
    recognizeMembers({ [member]: value });
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
