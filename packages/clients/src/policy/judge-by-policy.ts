import { type ClientMetadata, completeClientMetadata, validateClientMetadata } from '@vestibule/metadata';
import { DomainError, isJsonObject, isSameJson, type JsonObject } from '@vestibule/protocol';
import { completedBy } from '../alternative-members.js';
import type { RegistrationDeps } from '../registration-deps.js';
import { present } from '../registration-request.js';
import type { PolicyRequest, RegistrationPolicy } from './registration-policy.js';

/** How often policy and rules may answer each other before one of them can never be content. */
const MAX_ROUNDS = 4;

/**
 * The metadata of a registration as a policy wants it and the rules permit it. What is asked for is completed by the
 * defaults of the policy, then by the built-in ones. The policy sees every member that is registered: it decides on all
 * defaults with the rest, and once more where the rules fill in or leave out members of what it gave back. A member
 * without effect that it sets is left out all the same.
 * @throws DomainError as the rules on metadata and the policy decide.
 * @throws Error when the policy fails, or never agrees with the rules.
 */
export async function underPolicy(
  { supported, settings }: Pick<RegistrationDeps, 'supported' | 'settings'>,
  policy: RegistrationPolicy,
  request: PolicyRequest,
): Promise<ClientMetadata> {
  let metadata = completeClientMetadata(withDefaults(policy, request), supported);
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const decided = await decide(policy, { ...request, metadata });
    const registrable = validateClientMetadata(decided, supported, settings.metadata);
    const isSeen = membersBeyond(registrable, decided).length === 0;
    const isWhole = membersBeyond(decided, registrable).length === 0;
    if (isSeen && (isWhole || isSameJson(registrable, metadata))) return registrable;
    metadata = registrable;
  }
  throw new Error('the registration policy removes members that always have a value, or never settles');
}

function withDefaults(policy: RegistrationPolicy, { metadata, ...policySubject }: PolicyRequest): JsonObject {
  const defaults: unknown = policy.defaults?.(policySubject) ?? {};
  if (!isJsonObject(defaults) || present(defaults, STATEMENT) !== undefined)
    throw new TypeError('the registration policy gave defaults that are none');
  return completedBy(metadata, defaults);
}

const REFUSALS: readonly string[] = [
  'invalid_redirect_uri',
  'invalid_client_metadata',
  'invalid_software_statement',
  'unapproved_software_statement',
];

async function decide(policy: RegistrationPolicy, request: PolicyRequest): Promise<JsonObject> {
  const decided: unknown = await responseOf(policy, request);
  if (!isJsonObject(decided)) throw new TypeError('the registration policy gave back no metadata');
  if (present(decided, STATEMENT) !== present(request.metadata, STATEMENT))
    throw new TypeError('the registration policy changed a software statement');
  return decided;
}

// A code that no response to a registration has would reach the caller as something else than a refusal.
async function responseOf(policy: RegistrationPolicy, request: PolicyRequest): Promise<unknown> {
  try {
    return await policy.judge(request);
  } catch (error) {
    if (error instanceof DomainError && !REFUSALS.includes(error.code))
      throw new Error('the registration policy refused with a code that is not its own', { cause: error });
    throw error;
  }
}

const STATEMENT = 'software_statement';

/** Members of one that the other does not have. */
function membersBeyond(one: JsonObject, other: JsonObject): readonly string[] {
  return Object.keys(one).filter(
    (name) => present(one, name) !== undefined && present(other, name) === undefined,
  );
}
