export type { AnchorRules, RulesByAnchor } from './anchor-rules.js';
export {
  type CheckedEnrolmentSettings,
  checkEnrolmentSettings,
  ENROLMENT_SETTINGS,
} from './enrolment-settings.js';
export { entitiesSetting, ownMarksSetting } from './setting-forms.js';
