export { DEFAULT_JSON_LIMITS, MAX_BODY_BYTES } from './body-limits.js';
export { inOneOrder, isJsonObject, isSameJson, type JsonObject, type JsonValue } from './json.js';
export { isSafeText, JsonError, type JsonLimits, parseJson } from './parse-json.js';
export { parseJsonMembers } from './parse-json-members.js';
