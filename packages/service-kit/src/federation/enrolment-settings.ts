import { parseEntityId, parseTrustAnchors } from '@vestibule/federation';
import type { Issuer, JsonValue } from '@vestibule/protocol';
import Type from 'typebox';
import type { SettingsCheck } from '../load-settings.js';
import type { SettingsProblem } from '../settings-error.js';
import { anchorsSetting, requiredMarksSetting, rightsSetting } from './setting-forms.js';

const Count = (description: string, fallback: number, maximum: number) =>
  Type.Integer({ description, default: fallback, minimum: 0, maximum });

/** The settings of services that register the members of federations, on which they must agree. */
export const ENROLMENT_SETTINGS = {
  FEDERATION_TRUST_ANCHORS: anchorsSetting,
  FEDERATION_MAX_PATH_LENGTH: Count('Most intermediates between an entity and its anchor.', 2, 10),
  FEDERATION_RIGHTS: rightsSetting,
  FEDERATION_REQUIRED_TRUST_MARKS: requiredMarksSetting,
  FEDERATION_CACHE_SECONDS: Count(
    'How long statements that were fetched are kept at most, in seconds; 0 for not at all.',
    300,
    86_400,
  ),
  FEDERATION_FAILURE_MEMORY_SECONDS: Count(
    'How long a statement that could not be fetched is not asked for again, in seconds; 0 for not at all.',
    30,
    3_600,
  ),
  FEDERATION_REGISTRATIONS_PER_MINUTE: Count(
    'Registrations that may be tried in a minute; 0 for any number.',
    300,
    1_000_000,
  ),
  FEDERATION_REGISTRATIONS_PER_MINUTE_AND_NETWORK: Count(
    'Registrations that may be tried in a minute from one network (/24, /56); 0 for any number.',
    30,
    1_000_000,
  ),
};

/** What the checks look at. */
export interface CheckedEnrolmentSettings {
  readonly BASE_URL: Issuer;
  readonly FEDERATION_ENABLED: boolean;
  readonly FEDERATION_TRUST_ANCHORS: JsonValue;
  readonly EGRESS_ALLOW_HOSTS: readonly string[];
}

/** Checks what depends on several settings; only where federation is enabled. */
export const checkEnrolmentSettings: SettingsCheck<CheckedEnrolmentSettings> = ({
  BASE_URL,
  FEDERATION_ENABLED,
  FEDERATION_TRUST_ANCHORS,
  EGRESS_ALLOW_HOSTS,
}) => {
  if (!FEDERATION_ENABLED) return [];
  return [
    ...problemOf(
      'BASE_URL',
      parseEntityId(BASE_URL, EGRESS_ALLOW_HOSTS) === undefined ? LOOPBACK : undefined,
    ),
    ...problemOf('FEDERATION_TRUST_ANCHORS', anchorsProblem(FEDERATION_TRUST_ANCHORS, EGRESS_ALLOW_HOSTS)),
  ];
};

/** Every other address that is an issuer is an entity identifier too. */
const LOOPBACK =
  'is an http address: with FEDERATION_ENABLED=true its host must stand in EGRESS_ALLOW_HOSTS, such as EGRESS_ALLOW_HOSTS=localhost:8080';

function problemOf(name: string, problem: string | undefined): readonly SettingsProblem[] {
  return problem === undefined ? [] : [{ name, problem }];
}

function anchorsProblem(anchors: JsonValue, allowHosts: readonly string[]): string | undefined {
  try {
    parseTrustAnchors(anchors, allowHosts);
    return undefined;
  } catch (error) {
    // Its sentences name a rule and quote nothing.
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}
