export { composeEnrolment, type EnrolmentConfig, type EnrolmentParts } from './compose-enrolment.js';
export {
  type EnrolmentMetrics,
  enrolmentMetrics,
  NO_ENROLMENT_METRICS,
  type RegistrationKind,
  refusalReason,
} from './enrolment-metrics.js';
export { inSteps } from './in-steps.js';
export type { OwnTrustMark } from './setting-forms.js';
