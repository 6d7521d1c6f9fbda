import { parseEntityId, parseTrustAnchors, type TrustAnchors } from '@vestibule/federation';
import type { Issuer, JsonObject } from '@vestibule/protocol';
import Type from 'typebox';
import type { SettingsCheck } from '../load-settings.js';
import type { SettingsProblem } from '../settings-error.js';
import { readAnchorFile } from './anchor-file.js';
import { anchorRulesSetting, MAX_PATH_LENGTH, type RulesByAnchor } from './anchor-rules.js';
import { anchorsFileSetting, anchorsSetting, requiredMarksSetting, rightsSetting } from './setting-forms.js';

const Count = (description: string, fallback: number, maximum: number) =>
  Type.Integer({ description, default: fallback, minimum: 0, maximum });

/** The settings of services that register the members of federations, on which they must agree. */
export const FEDERATION_REGISTRATION_SETTINGS = {
  FEDERATION_TRUST_ANCHORS: anchorsSetting,
  FEDERATION_TRUST_ANCHORS_FILE: anchorsFileSetting,
  FEDERATION_MAX_PATH_LENGTH: Count(
    'Most intermediates between an entity and its anchor.',
    2,
    MAX_PATH_LENGTH,
  ),
  FEDERATION_RIGHTS: rightsSetting,
  FEDERATION_REQUIRED_TRUST_MARKS: requiredMarksSetting,
  FEDERATION_ANCHOR_RULES: anchorRulesSetting,
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
export interface CheckedFederationRegistrationSettings {
  readonly BASE_URL: Issuer;
  readonly FEDERATION_ENABLED: boolean;
  readonly FEDERATION_TRUST_ANCHORS: JsonObject;
  readonly FEDERATION_TRUST_ANCHORS_FILE?: string;
  readonly FEDERATION_ANCHOR_RULES: RulesByAnchor;
  readonly EGRESS_ALLOW_HOSTS: readonly string[];
}

/** Checks what depends on several settings; only where federation is enabled. */
export const checkFederationRegistrationSettings: SettingsCheck<CheckedFederationRegistrationSettings> = (
  settings,
) => {
  if (!settings.FEDERATION_ENABLED) return [];
  const { BASE_URL, EGRESS_ALLOW_HOSTS } = settings;
  return [
    ...(parseEntityId(BASE_URL, EGRESS_ALLOW_HOSTS) === undefined ? [LOOPBACK] : []),
    ...anchorProblems(settings),
  ];
};

/** Every other address that is an issuer is an entity identifier too. */
const LOOPBACK: SettingsProblem = {
  name: 'BASE_URL',
  problem:
    'is an http address: with FEDERATION_ENABLED=true its host must stand in EGRESS_ALLOW_HOSTS, such as EGRESS_ALLOW_HOSTS=localhost:8080',
};

/** What is wrong with the anchors, wherever they stand, and with the rules for some of them. */
function anchorProblems({
  FEDERATION_TRUST_ANCHORS: given,
  FEDERATION_TRUST_ANCHORS_FILE: file,
  FEDERATION_ANCHOR_RULES: rules,
  EGRESS_ALLOW_HOSTS: allowHosts,
}: CheckedFederationRegistrationSettings): readonly SettingsProblem[] {
  if (file !== undefined && Object.keys(given).length > 0)
    return [
      { name: 'FEDERATION_TRUST_ANCHORS', problem: 'is given twice, also by FEDERATION_TRUST_ANCHORS_FILE' },
    ];
  const name = file === undefined ? 'FEDERATION_TRUST_ANCHORS' : 'FEDERATION_TRUST_ANCHORS_FILE';
  try {
    const anchors: TrustAnchors =
      file === undefined ? parseTrustAnchors(given, allowHosts) : readAnchorFile(file, allowHosts);
    const known = new Set<string>(anchors.keys());
    const unknown = [...rules.keys()].findIndex((anchor) => !known.has(anchor));
    return unknown === -1
      ? []
      : [
          {
            name: 'FEDERATION_ANCHOR_RULES',
            problem: `entry ${unknown + 1} names no trust anchor of ${name}`,
          },
        ];
  } catch (error) {
    // Its sentences name a rule and quote nothing.
    if (error instanceof TypeError) return [{ name, problem: error.message }];
    throw error;
  }
}
