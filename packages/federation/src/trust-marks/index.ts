export { judgeTrustMarks, type RequiredTrustMarks, type TrustMarkReport } from './required-trust-marks.js';
export {
  type TrustMark,
  type TrustMarkContext,
  type TrustMarkIssuer,
  type TrustMarkIssuers,
  verifyTrustMark,
} from './verify-trust-mark.js';
