import { decodeUnverifiedJwt, JoseFailure } from '@vestibule/crypto/jwt';
import type { RequiredTrustMarks } from '@vestibule/federation/trust-marks';
import { isJsonObject, JsonError, type JsonObject, parseJson } from '@vestibule/protocol/json';
import {
  EMPTY_SCOPE,
  type GrantedScopes,
  isRegistrationScope,
  parseGrantedScopes,
  parseScope,
} from '@vestibule/scopes';
import Type from 'typebox';
import { customSetting, type Reading, splitList } from '../settings/setting.js';

/** Sufficient for JWK Sets by entity. */
const ANCHORS_LIMITS = { maxDepth: 6, maxMembers: 5_000 };

const MAX_MARK_LENGTH = 16_384;

const GRANTED_SCOPES_FORM = 'space-separated client-reg scope values';

/** Trust anchors with their keys. Their validation depends on other settings. */
export const anchorsSetting = customSetting<JsonObject>({
  description:
    'Trust anchors and their keys, in order of preference. If federation is enabled, this setting or FEDERATION_TRUST_ANCHORS_FILE is required.',
  form: 'a JSON object that maps entity identifiers to JWK Sets',
  default: {},
  read: readJsonObject,
});

/** Parses a JSON object whose members are entity identifiers. */
export function readJsonObject(text: string): Reading<JsonObject> {
  try {
    const value = parseJson(text, ANCHORS_LIMITS);
    return isJsonObject(value) ? { value } : { problem: 'must be a JSON object' };
  } catch (error) {
    // The message names a rule and quotes no value.
    if (error instanceof JsonError) return { problem: error.message };
    throw error;
  }
}

/** File to read instead of the setting. */
export const anchorsFileSetting = Type.Optional(
  Type.String({
    description:
      'File to read instead of FEDERATION_TRUST_ANCHORS, in the same format. The service rereads it at most every 10 seconds, so that keys of trust anchors can be rotated without a restart. If the file is invalid, this is logged and the current trust anchors stay in use.',
    minLength: 1,
    maxLength: 4_096,
  }),
);

/** A list of entity identifiers. Their validation depends on other settings. */
export function entitiesSetting(description: string) {
  return customSetting<readonly string[]>({
    description,
    form: 'comma-separated entity identifiers',
    default: [],
    read: (text) => ({ value: [...new Set(splitList(text))] }),
  });
}

/**
 * What federated clients may register in addition to open registration (registration/API.md#tokens); absent for
 * nothing.
 */
export const grantedScopesSetting = Type.Optional(
  customSetting<GrantedScopes>({
    description:
      'What federated clients may register in addition to the code, implicit and refresh token grants and the scope values in OPEN_REGISTRATION_SCOPES.',
    form: GRANTED_SCOPES_FORM,
    read: (text) => {
      const value = readGrantedScopes(text);
      return value === undefined ? { problem: `must be ${GRANTED_SCOPES_FORM}` } : { value };
    },
  }),
);

/** Parses the granted scopes of client-reg scope values; `undefined` if the text contains anything else. */
export function readGrantedScopes(text: string): GrantedScopes | undefined {
  const scope = parseScope(text.trim());
  const isReadable = scope !== undefined && [...scope].every(isRegistrationValue);
  return isReadable ? parseGrantedScopes(scope) : undefined;
}

function isRegistrationValue(value: string): boolean {
  return isRegistrationScope(parseScope(value) ?? EMPTY_SCOPE);
}

/** Trust marks that a registration requires. */
export const requiredMarksSetting = customSetting<RequiredTrustMarks>({
  description:
    'Trust mark types that a registration requires: all of them, and one of each group of alternatives.',
  form: 'comma-separated trust mark types, alternatives separated by |',
  default: [],
  read: (text) => {
    const value = readRequiredMarks(text);
    return value === undefined
      ? { problem: 'must be comma-separated trust mark types, alternatives separated by |' }
      : { value };
  },
});

/** Parses groups of trust mark types; one type of each group is required. `undefined` if the text is invalid. */
export function readRequiredMarks(text: string): RequiredTrustMarks | undefined {
  const groups = splitList(text).map((group) => group.split('|').map((type) => type.trim()));
  return groups.every((group) => group.every((type) => type !== '')) ? groups : undefined;
}

/** A trust mark of this entity. */
export interface OwnTrustMark {
  readonly type: string;
  readonly token: string;
}

/** Trust marks of this entity. */
export const ownMarksSetting = customSetting<readonly OwnTrustMark[]>({
  description: 'Trust marks issued to this entity, for its entity configuration.',
  form: 'comma-separated trust marks',
  default: [],
  read: (text) => {
    const marks = splitList(text).map(readMark);
    const read = marks.filter((mark) => mark !== undefined);
    return read.length === marks.length
      ? { value: read }
      : { problem: 'must be comma-separated signed JWTs with a trust_mark_type' };
  },
});

function readMark(token: string): OwnTrustMark | undefined {
  try {
    const { trust_mark_type: type } = decodeUnverifiedJwt(token, MAX_MARK_LENGTH).claims;
    return typeof type === 'string' ? { type, token } : undefined;
  } catch (error) {
    if (error instanceof JoseFailure) return undefined;
    throw error;
  }
}
