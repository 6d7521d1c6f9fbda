import type { AnchorConditions } from '@vestibule/federation/chains';
import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import type { GrantedScopes } from '@vestibule/scopes';
import { customSetting } from '../settings/setting.js';
import { readGrantedScopes, readJsonObject, readRequiredMarks } from './setting-forms.js';

/** Registration rules for entities below one trust anchor. */
export interface AnchorRules extends AnchorConditions {
  /** Replaces `FEDERATION_RIGHTS` for these entities. */
  readonly grantedScopes?: GrantedScopes;
}

/**
 * Rules by trust anchor, in the order of the setting. Whether an entity is a trust anchor depends on another setting.
 */
export type RulesByAnchor = ReadonlyMap<string, AnchorRules>;

/** Upper bound for every path length setting. */
export const MAX_PATH_LENGTH = 10;

const MEMBERS = ['rights', 'required_trust_marks', 'max_path_length'];

/** Setting with rules for single trust anchors. Each member has the format of the setting for all anchors. */
export const anchorRulesSetting = customSetting<RulesByAnchor>({
  description:
    'Rules for single trust anchors: `rights` replaces FEDERATION_RIGHTS, `required_trust_marks` replaces FEDERATION_REQUIRED_TRUST_MARKS and `max_path_length` replaces FEDERATION_MAX_PATH_LENGTH, each in the format of that setting.',
  form: `a JSON object that maps trust anchors to objects with ${MEMBERS.join(', ')}`,
  default: new Map(),
  read: (text) => {
    const read = readJsonObject(text);
    if ('problem' in read) return read;
    const entries = Object.entries(read.value).map(([anchor, rules]) => [anchor, readRules(rules)] as const);
    const wrong = entries.findIndex(([, rules]) => typeof rules === 'string');
    const problem = entries[wrong]?.[1];
    if (typeof problem === 'string') return { problem: `entry ${wrong + 1}: ${problem}` };
    const rules = entries.flatMap(([anchor, value]) =>
      typeof value === 'string' ? [] : [[anchor, value] as const],
    );
    return { value: new Map(rules) };
  },
});

/** Parses the rules of one trust anchor, or returns the problem. */
function readRules(value: JsonValue): AnchorRules | string {
  if (!isJsonObject(value)) return 'must be a JSON object';
  if (Object.keys(value).some((name) => !MEMBERS.includes(name)))
    return `has an unknown member (known: ${MEMBERS.join(', ')})`;
  const grantedScopes = readText(value, 'rights', readGrantedScopes);
  if (grantedScopes === 'wrong') return 'rights must be a string of space-separated client-reg scope values';
  const requiredMarks = readText(value, 'required_trust_marks', readRequiredMarks);
  if (requiredMarks === 'wrong')
    return 'required_trust_marks must be a string of comma-separated trust mark types, alternatives separated by |';
  const maxPathLength = value['max_path_length'];
  if (maxPathLength !== undefined && !isPathLength(maxPathLength))
    return `max_path_length must be an integer from 0 to ${MAX_PATH_LENGTH}`;
  return {
    ...(grantedScopes !== undefined && { grantedScopes }),
    ...(requiredMarks !== undefined && { requiredMarks }),
    ...(maxPathLength !== undefined && { maxPathLength }),
  };
}

function readText<Value extends object>(
  members: JsonObject,
  name: string,
  read: (text: string) => Value | undefined,
): Value | 'wrong' | undefined {
  const text = members[name];
  if (text === undefined) return undefined;
  return (typeof text === 'string' ? read(text) : undefined) ?? 'wrong';
}

function isPathLength(value: JsonValue): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_PATH_LENGTH;
}
