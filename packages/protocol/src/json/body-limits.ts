import type { JsonLimits } from './parse-json.js';

/** Default maximum size of a request body, in bytes. */
export const MAX_BODY_BYTES = 65_536;

/** Default limits of a JSON body, large enough for client metadata. */
export const DEFAULT_JSON_LIMITS: JsonLimits = {
  maxDepth: 16,
  maxMembers: 500,
  maxElements: 100,
  maxTextBytes: 16_384,
};
