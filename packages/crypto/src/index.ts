export { constantTimeEquals } from './constant-time-equals.js';
export { createMasterToken, type MasterToken } from './master-token.js';
export { randomAlphanumeric, secureRandom } from './random.js';
export { parseSecretHash } from './secret-hash/parse-secret-hash.js';
export type { SecretHash } from './secret-hash/secret-hash.js';
export { matchesSecretHash } from './secret-hash/verify-secret-hash.js';
export { sha256 } from './sha256.js';
