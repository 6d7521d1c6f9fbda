import {
  type AllowedHosts,
  type Clock,
  machineTime,
  parseAllowedHosts,
  systemClock,
} from '@vestibule/protocol';
import { ASYMMETRIC_ALGORITHMS, type AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import type { MonotonicClock } from '@vestibule/protocol/runtime';
import { serverAddress } from './http/server-address.js';
import type { ConnectionOptions, ProtectedResource, ResourceServerOptions } from './options.js';
import { audienceName, type TokenRules } from './verification/token-rules.js';

/** Checked options that all APIs of a resource server share, with defaults. */
export interface Settings {
  readonly issuer: string;
  readonly allowedHosts: AllowedHosts;
  readonly clockSkewSeconds: number;
  readonly introspectionEndpoint: URL | undefined;
  readonly jwksUri: URL | undefined;
  /** Address of the stream of changes; `undefined` if it is not followed. */
  readonly changesEndpoint: URL | undefined;
  readonly timeoutMs: number;
  readonly maxConcurrent: number;
  readonly maxWaiting: number;
  readonly lifetimeMs: number;
  readonly maxEntries: number;
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
}

/** Checked options of one API, with defaults. */
export interface ResourceSettings {
  readonly baseUrl: string;
  readonly metadataUrl: string;
  readonly rules: TokenRules;
  readonly dpopAlgorithms: readonly AsymmetricAlgorithm[];
}

const DPOP_ALGORITHMS = ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'PS256', 'RS256'] as const;

const CHANGES_PATH = '/token/changes';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/**
 * Checks the options, without those of the API.
 * @throws TypeError that names the first option that cannot be used, and quotes no value
 */
export function checkedSettings(options: ResourceServerOptions): Settings {
  const { connection = {}, cache = {} } = options;
  const allowedHosts = parseAllowedHosts(connection.allowedHosts ?? []);
  const address = (name: string, text: string | undefined) =>
    text === undefined ? undefined : serverAddress(name, text, allowedHosts);
  const issuer = serverAddress('issuer', options.issuer, allowedHosts);
  if (issuer.search !== '') throw new TypeError('issuer: must have no query');
  if (options.changes !== undefined && cache.lifetimeSeconds !== undefined)
    throw new TypeError('cache.lifetimeSeconds: has no meaning together with changes');
  if (options.signedResponses !== undefined)
    requireAlgorithms('signedResponses.algorithms', options.signedResponses.algorithms);
  return {
    issuer: options.issuer,
    allowedHosts,
    clockSkewSeconds: quantity('clockSkewSeconds', options.clockSkewSeconds ?? 0, 300),
    introspectionEndpoint: address('introspectionEndpoint', options.introspectionEndpoint),
    jwksUri: address('signedResponses.jwksUri', options.signedResponses?.jwksUri),
    changesEndpoint:
      options.changes &&
      address('changes.endpoint', options.changes.endpoint ?? options.issuer + CHANGES_PATH),
    ...requestLimits(connection),
    lifetimeMs: quantity('cache.lifetimeSeconds', cache.lifetimeSeconds ?? 0, 3_600) * 1_000,
    maxEntries: quantity('cache.maxEntries', cache.maxEntries ?? 100_000, 10_000_000),
    maxBytes: quantity('cache.maxBytes', cache.maxBytes ?? 100_000_000, 10_000_000_000),
    clock: options.clock ?? systemClock,
    monotonic: options.monotonic ?? steadyTime(),
  };
}

function requestLimits({ timeoutMs = 1_000, maxConcurrent = 64, maxWaiting = 10_000 }: ConnectionOptions) {
  return {
    timeoutMs: quantity('connection.timeoutMs', timeoutMs, 60_000),
    maxConcurrent: quantity('connection.maxConcurrent', maxConcurrent, 10_000, 1),
    maxWaiting: quantity('connection.maxWaiting', maxWaiting, 1_000_000),
  };
}

/**
 * Checks the options of an API.
 * @throws TypeError that names the first option that cannot be used, and quotes no value
 */
export function checkedResource(
  { resource, dpop = {} }: Pick<ResourceServerOptions, 'resource' | 'dpop'>,
  { allowedHosts, clockSkewSeconds }: Pick<Settings, 'allowedHosts' | 'clockSkewSeconds'>,
): ResourceSettings {
  const identifier = serverAddress('resource.identifier', resource.identifier, allowedHosts);
  const baseUrl = serverAddress('resource.baseUrl', resource.baseUrl ?? identifier.origin, allowedHosts);
  const dpopAlgorithms = dpop.algorithms ?? DPOP_ALGORITHMS;
  requireAlgorithms('dpop.algorithms', dpopAlgorithms);
  return {
    baseUrl: baseUrl.origin + baseUrl.pathname.replace(/\/$/, ''),
    metadataUrl: metadataUrl(identifier),
    rules: { audience: audienceNames(resource), clockSkewSeconds },
    dpopAlgorithms,
  };
}

/** The clock of the process stands still while its machine is suspended, and nothing may be cached over that time. */
function steadyTime(): MonotonicClock {
  return machineTime({ wall: systemClock, monotonicMs: () => performance.now() }).monotonic;
}

/** The well-known part comes before the path of the resource (RFC 9728 section 3.1). */
function metadataUrl({ origin, pathname, search }: URL): string {
  return origin + WELL_KNOWN + (pathname === '/' ? '' : pathname) + search;
}

function audienceNames({ identifier, audience = [identifier] }: ProtectedResource) {
  if (audience === 'unchecked') return undefined;
  if (audience.length === 0) throw new TypeError('resource.audience: must have a value');
  return new Set(audience.map(audienceName));
}

function requireAlgorithms(name: string, algorithms: readonly string[]): void {
  const isKnown = (algorithm: string) => ASYMMETRIC_ALGORITHMS.some((known) => known === algorithm);
  if (algorithms.length === 0 || !algorithms.every(isKnown))
    throw new TypeError(`${name}: must be some of ${ASYMMETRIC_ALGORITHMS.join(', ')}`);
}

function quantity(name: string, value: number, max: number, min = 0): number {
  if (value >= min && value <= max) return value;
  throw new TypeError(`${name}: must lie between ${min} and ${max}`);
}
