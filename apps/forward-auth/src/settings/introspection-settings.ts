import type { ClientCredentials } from '@vestibule/resource-server';
import {
  customSetting,
  parseServerUrl,
  type Secret,
  type SettingsProblem,
  secretSetting,
  secretValueSetting,
  serverUrlProblem,
} from '@vestibule/service/settings';
import Type from 'typebox';
import { type PrivateKey, parsePrivateKeys } from '../identity/upstream-token-keys.js';

const METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;
const KEY_FORM = 'a PEM private key on the curve P-256 or Ed25519';

/** Settings about the introspection endpoint, the stream of changes, and cached tokens. */
export const INTROSPECTION_SETTINGS = {
  INTROSPECTION_CLIENT_ID: Type.String({
    description: 'Client of this service, which may introspect.',
    minLength: 1,
    maxLength: 255,
  }),
  INTROSPECTION_AUTH_METHOD: Type.Enum([...METHODS], {
    description: 'How the client authenticates, as it registered.',
    default: 'client_secret_basic',
  }),
  INTROSPECTION_CLIENT_SECRET: Type.Optional(
    secretSetting({
      description: 'Secret of the client, for `client_secret_basic` and `client_secret_post`.',
      form: 'a string',
    }),
  ),
  INTROSPECTION_CLIENT_KEY: Type.Optional(
    secretValueSetting<PrivateKey>({
      description: 'Key of the client, for `private_key_jwt`. The registered key set must have no other one.',
      form: KEY_FORM,
      read: (text) => {
        const [key, ...others] = parsePrivateKeys(text) ?? [];
        return key === undefined || others.length > 0 ? { problem: `must be ${KEY_FORM}` } : { value: key };
      },
    }),
  ),
  INTROSPECTION_ENDPOINT: Type.Optional(
    urlSetting('Address of the introspection endpoint. Default: from the metadata of BASE_URL.'),
  ),
  INTROSPECTION_TIMEOUT_MS: Type.Integer({
    description: 'Time limit of an attempt to introspect, in milliseconds; there are two at most.',
    default: 1_000,
    minimum: 50,
    maximum: 60_000,
  }),
  INTROSPECTION_MAX_CONCURRENT: Type.Integer({
    description:
      'Maximum number of concurrent introspection requests, each on its own connection. Further ones wait.',
    default: 64,
    minimum: 1,
    maximum: 10_000,
  }),
  INTROSPECTION_MAX_WAITING: Type.Integer({
    description:
      'Maximum number of introspection requests that wait for a connection, each for at most INTROSPECTION_TIMEOUT_MS. Further ones are refused with 503.',
    default: 10_000,
    minimum: 0,
    maximum: 1_000_000,
  }),
  TOKEN_CHANGES_FOLLOWED: Type.Boolean({
    description:
      'Whether to follow the stream of changes of Vestibule, so that tokens are cached and revocations arrive within a second. Set it to false for other authorization servers.',
    default: true,
  }),
  TOKEN_CHANGES_ENDPOINT: Type.Optional(
    urlSetting('Address of the stream of changes. Default: /token/changes below BASE_URL.'),
  ),
  TOKEN_CACHE_SECONDS: Type.Integer({
    description:
      'How long a token is accepted without introspection if TOKEN_CHANGES_FOLLOWED is false, even if it is revoked; 0: every request is introspected.',
    default: 0,
    minimum: 0,
    maximum: 3_600,
  }),
  TOKEN_CACHE_ENTRIES: Type.Integer({
    description: 'Maximum number of cached tokens.',
    default: 100_000,
    minimum: 1,
    maximum: 10_000_000,
  }),
  TOKEN_CACHE_MEGABYTES: Type.Integer({
    description: 'Memory that cached tokens may use, in megabytes (estimate).',
    default: 100,
    minimum: 1,
    maximum: 10_000,
  }),
};

function urlSetting(description: string) {
  return customSetting<string>({
    description,
    form: 'a URL',
    read: (text) => (parseServerUrl(text) === undefined ? { problem: 'must be a URL' } : { value: text }),
  });
}

/** The parsed settings. */
export interface IntrospectionSettings {
  readonly INTROSPECTION_CLIENT_ID: string;
  readonly INTROSPECTION_AUTH_METHOD: (typeof METHODS)[number];
  readonly INTROSPECTION_CLIENT_SECRET?: Secret;
  readonly INTROSPECTION_CLIENT_KEY?: PrivateKey;
  readonly INTROSPECTION_ENDPOINT?: string;
  readonly TOKEN_CHANGES_FOLLOWED: boolean;
  readonly TOKEN_CHANGES_ENDPOINT?: string;
  readonly TOKEN_CACHE_SECONDS: number;
  readonly EGRESS_ALLOW_HOSTS: readonly string[];
}

/** Refuses a client without its credential, settings without effect, and endpoints over http. For `loadSettings`. */
export function checkIntrospectionSettings(settings: IntrospectionSettings): readonly SettingsProblem[] {
  return [...credentialProblems(settings), ...changesProblems(settings), ...endpointProblems(settings)];
}

/** The credentials of the client of this service. */
export function clientCredentials(settings: IntrospectionSettings): ClientCredentials {
  const {
    INTROSPECTION_CLIENT_ID: clientId,
    INTROSPECTION_AUTH_METHOD: method,
    INTROSPECTION_CLIENT_SECRET: secret,
    INTROSPECTION_CLIENT_KEY: key,
  } = settings;
  if (method === 'private_key_jwt' && key !== undefined) return { method, clientId, ...key };
  if (method !== 'private_key_jwt' && secret !== undefined)
    return { method, clientId, clientSecret: secret.reveal() };
  throw new TypeError('the client has no credential');
}

function credentialProblems({
  INTROSPECTION_AUTH_METHOD: method,
  INTROSPECTION_CLIENT_SECRET: secret,
  INTROSPECTION_CLIENT_KEY: key,
}: IntrospectionSettings): readonly SettingsProblem[] {
  const isKeyed = method === 'private_key_jwt';
  const [needed, useless] = isKeyed
    ? (['INTROSPECTION_CLIENT_KEY', 'INTROSPECTION_CLIENT_SECRET'] as const)
    : (['INTROSPECTION_CLIENT_SECRET', 'INTROSPECTION_CLIENT_KEY'] as const);
  const [neededValue, uselessValue] = isKeyed ? [key, secret] : [secret, key];
  return [
    ...(neededValue === undefined ? [{ name: needed, problem: `is required with ${method}` }] : []),
    ...(uselessValue === undefined ? [] : [{ name: useless, problem: `has no effect with ${method}` }]),
  ];
}

function changesProblems({
  TOKEN_CHANGES_FOLLOWED: isFollowed,
  TOKEN_CHANGES_ENDPOINT: endpoint,
  TOKEN_CACHE_SECONDS: seconds,
}: IntrospectionSettings): readonly SettingsProblem[] {
  return [
    ...(isFollowed && seconds > 0
      ? [{ name: 'TOKEN_CACHE_SECONDS', problem: 'needs TOKEN_CHANGES_FOLLOWED=false' }]
      : []),
    ...(!isFollowed && endpoint !== undefined
      ? [{ name: 'TOKEN_CHANGES_ENDPOINT', problem: 'needs TOKEN_CHANGES_FOLLOWED=true' }]
      : []),
  ];
}

function endpointProblems(settings: IntrospectionSettings): readonly SettingsProblem[] {
  const { INTROSPECTION_ENDPOINT, TOKEN_CHANGES_ENDPOINT, EGRESS_ALLOW_HOSTS } = settings;
  return Object.entries({ INTROSPECTION_ENDPOINT, TOKEN_CHANGES_ENDPOINT }).flatMap(([name, text = '']) => {
    const url = parseServerUrl(text);
    const problem = url && serverUrlProblem(url, EGRESS_ALLOW_HOSTS);
    return problem === undefined ? [] : [{ name, problem }];
  });
}
