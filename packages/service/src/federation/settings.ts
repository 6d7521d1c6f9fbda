export type { AnchorRules, RulesByAnchor } from './anchor-rules.js';
export {
  type CheckedFederationRegistrationSettings,
  checkFederationRegistrationSettings,
  FEDERATION_REGISTRATION_SETTINGS,
} from './registration-settings.js';
export { entitiesSetting, ownMarksSetting } from './setting-forms.js';
