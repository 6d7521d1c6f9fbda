import { type DeclaredPolicies, parseDeclaredPolicies } from '@vestibule/clients/policy';
import { JsonError, parseJson } from '@vestibule/protocol/json';
import Type from 'typebox';
import { customSetting, type Reading } from '../settings/setting.js';

/** Allows a key set as the operand of an operator. */
const POLICY_LIMITS = { maxDepth: 8, maxMembers: 5_000 };

/** The declared registration policies. All services that register clients must use the same value. */
export const REGISTRATION_POLICY_SETTINGS = {
  REGISTRATION_POLICY: Type.Optional(
    customSetting<DeclaredPolicies>({
      description:
        'Metadata policies beyond the built-in rules: operators of OpenID Federation 1.0 section 6.1, by who registers (`any`, `anonymous`, `initial_access_token`, `master_token`, `metadata_document`) and metadata member.',
      form: 'a JSON object of metadata policies',
      read: readPolicies,
    }),
  ),
};

function readPolicies(text: string): Reading<DeclaredPolicies> {
  try {
    return { value: parseDeclaredPolicies(parseJson(text, POLICY_LIMITS)) };
  } catch (error) {
    // Both messages name rules and members and quote no value.
    if (error instanceof TypeError || error instanceof JsonError) return { problem: error.message };
    throw error;
  }
}
