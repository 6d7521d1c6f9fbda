import type { JsonLimits } from './parse-json.js';

/** The largest body of a request where nothing else is said, in bytes. */
export const MAX_BODY_BYTES = 65_536;

/** What a JSON body may hold at most where nothing else is said: enough for client metadata and everything smaller. */
export const DEFAULT_JSON_LIMITS: JsonLimits = {
  maxDepth: 16,
  maxMembers: 500,
  maxElements: 100,
  maxTextBytes: 16_384,
};
