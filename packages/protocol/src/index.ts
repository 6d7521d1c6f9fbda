export {
  type Allowance,
  type AllowedHosts,
  allowanceOf,
  isAllowedHost,
  parseAllowedHosts,
  portOf,
} from './allowed-hosts.js';
export { type Clock, nowSeconds, systemClock } from './clock.js';
export { type CoalescedRuns, coalescedRuns } from './coalesced-runs.js';
export { DomainError, type DomainErrorDetails } from './domain-error.js';
export { type EpochSeconds, epochSeconds, isEpochSeconds, toDate } from './epoch-seconds.js';
export { ERROR_CODES, type ErrorCode } from './error-codes.js';
export {
  CLIENT_ID_MAX_LENGTH,
  type ClientId,
  type Issuer,
  parseClientId,
  parseIssuer,
} from './identifiers.js';
export { type MachineClocks, type MachineTime, machineTime } from './machine-time.js';
export { OutdatedServerError } from './outdated-server-error.js';
export { isPlainPath } from './plain-path.js';
export { preferredMediaType } from './preferred-media-type.js';
export type { RandomSource } from './random-source.js';
export { ThrottledError } from './throttled-error.js';
export type { Span, SpanAttributes, SpanStart, Tracer } from './tracer.js';
export { isEntityHost, isUriHost } from './uri-host.js';
