export { evaluateTrustMarks, type RequiredTrustMarks, type TrustMarkReport } from './required-trust-marks.js';
export type { TrustMarkContext, TrustMarkIssuer, TrustMarkIssuers } from './trust-mark-context.js';
export { type TrustMark, verifyTrustMark } from './verify-trust-mark.js';
