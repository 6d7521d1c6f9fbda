import { parseEntityId } from '@vestibule/federation';
import { parseTrustAnchors, type TrustAnchors } from '@vestibule/federation/chains';
import type { Issuer } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import Type from 'typebox';
import type { SettingsCheck, SettingsProblem } from '../settings/load-settings.js';
import { readAnchorFile } from './anchor-file.js';
import { anchorRulesSetting, MAX_PATH_LENGTH, type RulesByAnchor } from './anchor-rules.js';
import {
  anchorsFileSetting,
  anchorsSetting,
  grantedScopesSetting,
  requiredMarksSetting,
} from './setting-forms.js';

const Count = (description: string, fallback: number, maximum: number) =>
  Type.Integer({ description, default: fallback, minimum: 0, maximum });

/** Settings of services that register federation entities. All of them must use the same values. */
export const FEDERATION_REGISTRATION_SETTINGS = {
  FEDERATION_TRUST_ANCHORS: anchorsSetting,
  FEDERATION_TRUST_ANCHORS_FILE: anchorsFileSetting,
  FEDERATION_MAX_PATH_LENGTH: Count(
    'Maximum number of intermediates between an entity and its trust anchor.',
    2,
    MAX_PATH_LENGTH,
  ),
  FEDERATION_RIGHTS: grantedScopesSetting,
  FEDERATION_REQUIRED_TRUST_MARKS: requiredMarksSetting,
  FEDERATION_ANCHOR_RULES: anchorRulesSetting,
  FEDERATION_CACHE_SECONDS: Count(
    'Maximum time that fetched statements are cached, in seconds; 0 disables the cache.',
    300,
    86_400,
  ),
  FEDERATION_NEGATIVE_CACHE_SECONDS: Count(
    'How long a failed fetch of a statement is cached before it is tried again, in seconds; 0 disables this.',
    30,
    3_600,
  ),
  FEDERATION_REGISTRATIONS_PER_MINUTE: Count(
    'Maximum registration attempts per minute; 0 means no limit.',
    300,
    1_000_000,
  ),
  FEDERATION_REGISTRATIONS_PER_MINUTE_AND_NETWORK: Count(
    'Maximum registration attempts per minute from one network (/24 or /56); 0 means no limit.',
    30,
    1_000_000,
  ),
};

/** Settings that the checks read. */
export interface CheckedFederationRegistrationSettings {
  readonly BASE_URL: Issuer;
  readonly FEDERATION_ENABLED: boolean;
  readonly FEDERATION_TRUST_ANCHORS: JsonObject;
  readonly FEDERATION_TRUST_ANCHORS_FILE?: string;
  readonly FEDERATION_ANCHOR_RULES: RulesByAnchor;
  readonly EGRESS_ALLOW_HOSTS: readonly string[];
}

/** Checks rules that depend on several settings. Applies only if federation is enabled. */
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

/** Any other issuer URL is also a valid entity identifier. */
const LOOPBACK: SettingsProblem = {
  name: 'BASE_URL',
  problem:
    'is an http URL: with FEDERATION_ENABLED=true, EGRESS_ALLOW_HOSTS must include its host, for example EGRESS_ALLOW_HOSTS=localhost:8080',
};

/** Problems of the trust anchors, from the setting or the file, and of the rules for single anchors. */
function anchorProblems({
  FEDERATION_TRUST_ANCHORS: given,
  FEDERATION_TRUST_ANCHORS_FILE: file,
  FEDERATION_ANCHOR_RULES: rules,
  EGRESS_ALLOW_HOSTS: allowHosts,
}: CheckedFederationRegistrationSettings): readonly SettingsProblem[] {
  if (file !== undefined && Object.keys(given).length > 0)
    return [
      {
        name: 'FEDERATION_TRUST_ANCHORS',
        problem: 'is also set by FEDERATION_TRUST_ANCHORS_FILE; set only one of them',
      },
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
            problem: `entry ${unknown + 1} is not a trust anchor of ${name}`,
          },
        ];
  } catch (error) {
    // The message names a rule and quotes no value.
    if (error instanceof TypeError) return [{ name, problem: error.message }];
    throw error;
  }
}
