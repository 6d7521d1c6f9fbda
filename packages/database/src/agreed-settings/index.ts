export {
  type AgreedSettings,
  agreedSessionCookie,
  type LogoutAgreement,
  type SessionCookieSettings,
} from './agreed-settings.js';
export { type SettingsWatchOptions, startSettingsWatch } from './settings-watch.js';
