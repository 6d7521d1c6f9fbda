import { BlockList, isIP } from 'node:net';
import { type Issuer, parseIssuer } from '@vestibule/protocol';
import { LOG_LEVELS } from '@vestibule/protocol/logging';
import Type from 'typebox';
import { isLoopback } from '../settings/server-url.js';
import {
  customSetting,
  type Reading,
  secretSetting,
  secretValueSetting,
  splitList,
} from '../settings/setting.js';

const PORT = { minimum: 0, maximum: 65_535 };
const POSTGRES_SCHEME = /^postgres(?:ql)?:\/\/./;
/** Whole seconds, up to a minute. */
const CONNECT_TIMEOUT = /^(?:[1-9]|[1-5]\d|60)$/;
const SHA256_HEX = /^[0-9a-fA-F]{64}$/;

/** Settings that several services share. Each service picks the ones it uses. */
export const SHARED_SETTINGS = {
  /** The issuer. All public URLs derive from it, never from a request. */
  BASE_URL: customSetting<Issuer>({
    description: 'Public base URL and issuer identifier. https, or http on a loopback address.',
    form: 'an absolute https URL without credentials, query and fragment',
    read: readBaseUrl,
  }),
  HOST: Type.String({
    description: 'Address to listen on.',
    default: '0.0.0.0',
    minLength: 1,
    maxLength: 255,
  }),
  MANAGEMENT_HOST: Type.String({
    description:
      'Address to listen on for health and metrics, which require no credentials. The images set 0.0.0.0; the container network must restrict who can reach it.',
    default: '127.0.0.1',
    minLength: 1,
    maxLength: 255,
  }),
  MANAGEMENT_PORT: Type.Optional(
    Type.Integer({
      description: 'Port for health and metrics. If not set: PORT + 1000, or any free port when PORT is 0.',
      ...PORT,
    }),
  ),
  DATABASE_URL: secretSetting({
    description:
      'Connection string for PostgreSQL 14 or newer. Its `connect_timeout` query parameter limits how long opening a connection may take: 1 to 60 seconds, default 1.',
    form: 'a postgres:// URL',
    problem: databaseUrlProblem,
  }),
  DATABASE_POOL_SIZE: Type.Integer({
    description: 'Maximum number of Postgres connections that this process opens.',
    default: 10,
    minimum: 1,
    maximum: 200,
  }),
  MASTER_TOKEN_SHA256: secretValueSetting<readonly string[]>({
    description: 'SHA-256 digests of the master tokens; more than one during rotation.',
    form: 'comma-separated SHA-256 digests in hexadecimal',
    default: [],
    read: readDigests,
  }),
  TRUSTED_PROXIES: customSetting<readonly string[]>({
    description: 'Proxies whose X-Forwarded-* headers are trusted.',
    form: 'comma-separated addresses and CIDR blocks',
    default: [],
    read: readNetworks,
  }),
  LOG_LEVEL: Type.Enum([...LOG_LEVELS], {
    description: 'Lowest level that is logged.',
    default: 'info',
  }),
  RATE_LIMITS_ENABLED: Type.Boolean({ description: 'Whether rate limits are enforced.', default: true }),
  API_PAGE_ENABLED: Type.Boolean({
    description: 'Whether to serve a page that shows the OpenAPI document and lets you try its operations.',
    default: true,
  }),
  SHUTDOWN_DRAIN_MS: Type.Integer({
    description: 'Milliseconds between reporting not ready and closing the port at shutdown.',
    default: 1500,
    minimum: 0,
    maximum: 8000,
  }),
};

/**
 * Port setting of a service.
 * @param fallback default port; 0 for any free port
 */
export function portSetting(fallback: number) {
  return Type.Integer({ description: 'Port to listen on.', default: fallback, ...PORT });
}

function readBaseUrl(text: string): Reading<Issuer> {
  if (!URL.canParse(text)) return { problem: 'must be an absolute URL' };
  try {
    const issuer = parseIssuer(text);
    const { protocol, hostname } = new URL(issuer);
    return protocol === 'https:' || isLoopback(hostname)
      ? { value: issuer }
      : { problem: 'must be an https URL unless it is on a loopback address' };
  } catch (error) {
    // The message names a rule and quotes no value.
    if (error instanceof TypeError) return { problem: error.message };
    throw error;
  }
}

function databaseUrlProblem(text: string): string | undefined {
  if (!POSTGRES_SCHEME.test(text) || !URL.canParse(text)) return 'must be a postgres:// URL';
  const timeout = new URL(text).searchParams.get('connect_timeout');
  return timeout === null || CONNECT_TIMEOUT.test(timeout)
    ? undefined
    : 'must have a connect_timeout from 1 to 60 seconds, or none';
}

function readDigests(text: string): Reading<readonly string[]> {
  const digests = splitList(text);
  if (!digests.every((digest) => SHA256_HEX.test(digest))) {
    return { problem: 'must be comma-separated SHA-256 digests in hexadecimal' };
  }
  return { value: digests.map((digest) => digest.toLowerCase()) };
}

function readNetworks(text: string): Reading<readonly string[]> {
  const networks = splitList(text);
  return networks.every(isNetwork)
    ? { value: networks }
    : { problem: 'must be comma-separated addresses and CIDR blocks' };
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  if (!/^\d{1,3}$/.test(bits)) return false;
  try {
    new BlockList().addSubnet(address, Number(bits), version === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
}
