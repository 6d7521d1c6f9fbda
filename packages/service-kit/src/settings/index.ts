export { type ErrorRecord, errorRecord } from '../error-record.js';
export { type Environment, loadSettings, type SettingsCheck } from '../load-settings.js';
export { Secret } from '../secret.js';
export { SettingsError, type SettingsProblem } from '../settings-error.js';
export { describeSettings, type SettingDescription, settingsReference } from '../settings-reference.js';
export { SHARED_SETTINGS } from '../shared-settings.js';
export { StartError } from '../start-error.js';
export { STORE_SETTINGS } from '../store-settings.js';
