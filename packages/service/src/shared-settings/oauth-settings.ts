import { type Issuer, isPlainPath } from '@vestibule/protocol';
import {
  ASYMMETRIC_ALGORITHMS,
  type AsymmetricAlgorithm,
  ENDPOINT_PATH,
  GRANT_TYPES,
  type GrantType,
  introspectionEndpoint,
  isGrantType,
} from '@vestibule/protocol/constants';
import { isRegistrationScope, parseScope } from '@vestibule/scopes';
import Type from 'typebox';
import type { SettingsCheck } from '../settings/load-settings.js';
import { customSetting, splitList } from '../settings/setting.js';

const GRANT_TYPES_FORM = 'comma-separated values of the default and URIs of extension grant types';

const GRANT_TYPES_PROBLEM = `must be a comma-separated list of ${GRANT_TYPES.join(', ')}, and URIs of extension grant types`;

const OPEN_SCOPES_FORM = 'space-separated scope values other than client-reg scopes';

/** Settings of the authorization server's features. All services must use the same values. */
export const OAUTH_SETTINGS = {
  FEDERATION_ENABLED: Type.Boolean({
    description:
      'Whether federation entities may register. If BASE_URL is on a loopback address, EGRESS_ALLOW_HOSTS must include its host.',
    default: false,
  }),
  SIGNING_ALGORITHMS: closedListSetting<AsymmetricAlgorithm>({
    description:
      'Algorithms that the server has signing keys for. The first one is the default for ID tokens.',
    values: ASYMMETRIC_ALGORITHMS,
    default: ['RS256', 'ES256', 'PS256', 'EdDSA'],
  }),
  ACCESS_TOKEN_SIGNING_ALG: closedSetting<AsymmetricAlgorithm>({
    description: 'Signing algorithm for JWT access tokens and signed introspection responses.',
    values: ASYMMETRIC_ALGORITHMS,
    default: 'RS256',
  }),
  REGISTRABLE_GRANT_TYPES: customSetting<readonly GrantType[]>({
    description:
      'Grant types that clients may register. Extension grant types (a URN or an http(s) URL) require the master token, or an initial access token with `client-reg` or `client-reg:grant:` followed by the grant type.',
    form: GRANT_TYPES_FORM,
    default: GRANT_TYPES,
    read: (text) => {
      const parts = splitList(text);
      const isList = parts.length > 0 && parts.every(isGrantType) && new Set(parts).size === parts.length;
      return isList ? { value: parts } : { problem: GRANT_TYPES_PROBLEM };
    },
  }),
  ALLOW_OPEN_REGISTRATION: Type.Boolean({
    description:
      'Whether clients of the code, implicit and refresh token grants may register without a token.',
    default: false,
  }),
  OPEN_REGISTRATION_SCOPES: customSetting<readonly string[]>({
    description:
      'Scope values that clients may register in `scope` without a token if ALLOW_OPEN_REGISTRATION is true; federation entities always may. If it is true, `scopes_supported` in discovery lists exactly these, so that a client that copies the list can register.',
    form: OPEN_SCOPES_FORM,
    default: [],
    read: (text) => {
      const values = text.split(' ').filter((value) => value !== '');
      const scope = parseScope(values.join(' '));
      const isGood = values.length === 0 || (scope !== undefined && !isRegistrationScope(scope));
      return isGood ? { value: [...new Set(values)] } : { problem: `must be ${OPEN_SCOPES_FORM}` };
    },
  }),
  LOGOUT_PATH: customSetting<string>({
    description: 'Path of the logout page, relative to BASE_URL.',
    form: 'a path of letters, digits, `-`, `_`, `.` and `/`',
    default: ENDPOINT_PATH.logout,
    read: (text) =>
      isPlainPath(text)
        ? { value: text }
        : { problem: 'must be a path of letters, digits, -, _, . and /, without a trailing slash' },
  }),
};

interface ClosedListOptions<T extends string> {
  readonly description: string;
  readonly values: readonly T[];
  readonly default: readonly T[];
}

/** A non-empty list of known values without duplicates. */
function closedListSetting<T extends string>({
  description,
  values,
  default: fallback,
}: ClosedListOptions<T>) {
  const form = `comma-separated list of ${values.join(', ')}`;
  return customSetting<readonly T[]>({
    description,
    form,
    default: fallback,
    read: (text) => {
      const parts = splitList(text);
      const known = values.filter((value) => parts.includes(value));
      const isKnown = parts.length > 0 && parts.length === known.length;
      return isKnown ? { value: inOrderOf(parts, known) } : { problem: `must be ${form}` };
    },
  });
}

interface ClosedOptions<T extends string> {
  readonly description: string;
  readonly values: readonly T[];
  readonly default: T;
}

/** One of several known values. */
function closedSetting<T extends string>({ description, values, default: fallback }: ClosedOptions<T>) {
  const form = `one of ${values.join(', ')}`;
  return customSetting<T>({
    description,
    form,
    default: fallback,
    read: (text) => {
      const value = values.find((known) => known === text);
      return value === undefined ? { problem: `must be ${form}` } : { value };
    },
  });
}

function inOrderOf<T extends string>(parts: readonly string[], known: readonly T[]): readonly T[] {
  return known.toSorted((a, b) => parts.indexOf(a) - parts.indexOf(b));
}

/** Settings that the check reads. */
interface CheckedOpenScopes {
  readonly BASE_URL: Issuer;
  readonly OPEN_REGISTRATION_SCOPES: readonly string[];
}

/** Refuses open registration of the introspection scope: a client may introspect if its `scope` names the endpoint. */
export const checkOpenScopes: SettingsCheck<CheckedOpenScopes> = ({ OPEN_REGISTRATION_SCOPES, BASE_URL }) =>
  OPEN_REGISTRATION_SCOPES.includes(introspectionEndpoint(BASE_URL))
    ? [{ name: 'OPEN_REGISTRATION_SCOPES', problem: 'must not name the introspection endpoint' }]
    : [];
