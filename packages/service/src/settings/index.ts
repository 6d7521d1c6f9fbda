export { StartError } from '../process/process-host.js';
export type { JwksLocation } from './jwks-location.js';
export { loadEach } from './load-each.js';
export {
  type Environment,
  loadSettings,
  type SettingsCheck,
  SettingsError,
  type SettingsProblem,
} from './load-settings.js';
export { type MisspeltSetting, misspeltSettings } from './misspelt-settings.js';
export { Secret } from './secret.js';
export { isLoopback, parseServerUrl, serverUrlProblem } from './server-url.js';
export {
  customSetting,
  type Reading,
  type SecretOptions,
  type SettingOptions,
  type SettingReader,
  secretSetting,
  secretValueSetting,
  splitList,
} from './setting.js';
export { describeSettings, type SettingDescription, settingsReference } from './settings-reference.js';
