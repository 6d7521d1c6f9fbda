import { checkedCertificates, parseRedisUrl } from '@vestibule/cache/settings';
import Type from 'typebox';
import type { SettingsProblem } from '../settings/load-settings.js';
import type { Secret } from '../settings/secret.js';
import { secretSetting } from '../settings/setting.js';

/** Settings of services that can use Redis. */
export const REDIS_SETTINGS = {
  REDIS_URL: Type.Optional(
    secretSetting({
      description:
        'URL of Redis 6.0 or newer, or Valkey: one server, `+sentinel` or `+cluster`. Optional: the service works without Redis.',
      form: 'a redis:// or rediss:// URL, optionally with +sentinel or +cluster',
      problem: (text) => problemOf(() => parseRedisUrl(text)),
    }),
  ),
  REDIS_CA: Type.Optional(
    secretSetting({
      description: 'CA certificates to trust for TLS connections to Redis, instead of those of the system.',
      form: 'PEM certificates',
      problem: (text) => problemOf(() => checkedCertificates(text)),
    }),
  ),
  REDIS_SENTINEL_USERNAME: Type.Optional(
    Type.String({
      description: 'User name for the sentinels, if it is not the default user.',
      minLength: 1,
      maxLength: 255,
    }),
  ),
  REDIS_SENTINEL_PASSWORD: Type.Optional(
    secretSetting({
      description: 'Password for the sentinels; REDIS_URL does not carry it.',
      form: 'a password',
    }),
  ),
};

/** The parsed settings. */
export interface RedisSettings {
  readonly REDIS_URL?: Secret;
  readonly REDIS_CA?: Secret;
  readonly REDIS_SENTINEL_USERNAME?: string;
  readonly REDIS_SENTINEL_PASSWORD?: Secret;
}

/** Refuses settings that would have no effect. For `loadSettings`. */
export function checkRedisSettings(settings: RedisSettings): readonly SettingsProblem[] {
  const address = settings.REDIS_URL && parseRedisUrl(settings.REDIS_URL.reveal());
  const isSentinel = address?.kind === 'sentinel';
  const { REDIS_CA, REDIS_SENTINEL_USERNAME, REDIS_SENTINEL_PASSWORD } = settings;
  const sentinels = 'needs a REDIS_URL that names sentinels';
  const mistakes: readonly (readonly [boolean, string, string])[] = [
    [REDIS_CA !== undefined && address?.tls !== true, 'REDIS_CA', 'needs a REDIS_URL with rediss'],
    [REDIS_SENTINEL_PASSWORD !== undefined && !isSentinel, 'REDIS_SENTINEL_PASSWORD', sentinels],
    [
      REDIS_SENTINEL_USERNAME !== undefined && REDIS_SENTINEL_PASSWORD === undefined,
      'REDIS_SENTINEL_USERNAME',
      'needs REDIS_SENTINEL_PASSWORD',
    ],
  ];
  return mistakes.flatMap(([isMade, name, problem]) => (isMade ? [{ name, problem }] : []));
}

/** Returns the error message of a failed parse, or `undefined`. */
function problemOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}
