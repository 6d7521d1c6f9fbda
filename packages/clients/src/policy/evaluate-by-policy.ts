import { type ClientMetadata, completeClientMetadata, validateClientMetadata } from '@vestibule/metadata';
import { DomainError } from '@vestibule/protocol';
import { isJsonObject, isSameJson, type JsonObject } from '@vestibule/protocol/json';
import { completedBy } from '../registration/alternative-members.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import { present } from '../registration/registration-request.js';
import type { PolicyRequest, RegistrationPolicy } from './registration-policy.js';

/** Maximum number of rounds between policy and rules before they count as contradictory. */
const MAX_ROUNDS = 4;

/**
 * Applies a policy and the rules to the metadata of a registration. The defaults of the policy are filled in first,
 * then the built-in ones. The policy sees every registered member: once with all defaults, and again if the rules add
 * or remove members of its result. A member without effect is left out even if the policy sets it.
 * @throws DomainError as the metadata rules and the policy decide.
 * @throws Error when the policy fails or never agrees with the rules.
 */
export async function applyRegistrationPolicy(
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
  throw new Error('the registration policy and the metadata rules never agree');
}

function withDefaults(policy: RegistrationPolicy, { metadata, ...policySubject }: PolicyRequest): JsonObject {
  const defaults: unknown = policy.defaults?.(policySubject) ?? {};
  if (!isJsonObject(defaults) || present(defaults, STATEMENT) !== undefined)
    throw new TypeError('the defaults of the registration policy are not valid metadata');
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
  if (!isJsonObject(decided)) throw new TypeError('the registration policy did not return metadata');
  if (present(decided, STATEMENT) !== present(request.metadata, STATEMENT))
    throw new TypeError('the registration policy changed a software statement');
  return decided;
}

// A code that registration responses do not have must not reach the caller as a refusal.
async function responseOf(policy: RegistrationPolicy, request: PolicyRequest): Promise<unknown> {
  try {
    return await policy.evaluate(request);
  } catch (error) {
    if (error instanceof DomainError && !REFUSALS.includes(error.code))
      throw new Error('the registration policy refused with an error code that it must not use', {
        cause: error,
      });
    throw error;
  }
}

const STATEMENT = 'software_statement';

/** Members of the first object that the second does not have. */
function membersBeyond(one: JsonObject, other: JsonObject): readonly string[] {
  return Object.keys(one).filter(
    (name) => present(one, name) !== undefined && present(other, name) === undefined,
  );
}
