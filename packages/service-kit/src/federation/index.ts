export { composeEnrolment, type EnrolmentConfig, type EnrolmentParts } from './compose-enrolment.js';
export {
  type EnrolmentMetrics,
  enrolmentMetrics,
  NO_ENROLMENT_METRICS,
  type RegistrationKind,
  refusalReason,
} from './enrolment-metrics.js';
export {
  type CheckedEnrolmentSettings,
  checkEnrolmentSettings,
  ENROLMENT_SETTINGS,
} from './enrolment-settings.js';
export { inSteps } from './in-steps.js';
export { entitiesSetting, type OwnTrustMark, ownMarksSetting } from './setting-forms.js';
