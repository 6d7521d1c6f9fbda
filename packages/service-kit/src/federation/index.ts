export { composeEnrolment, type EnrolmentConfig, type EnrolmentParts } from './compose-enrolment.js';
export {
  type CheckedEnrolmentSettings,
  checkEnrolmentSettings,
  ENROLMENT_SETTINGS,
} from './enrolment-settings.js';
export { inSteps } from './in-steps.js';
export { entitiesSetting, type OwnTrustMark, ownMarksSetting } from './setting-forms.js';
