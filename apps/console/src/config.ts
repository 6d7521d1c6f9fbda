import {
  type FederationServiceConfig,
  FederationServiceSettings,
  loadFederationConfig,
} from '@vestibule/federation-service/config';
import { type IntrospectionConfig, IntrospectionSettings } from '@vestibule/introspection/config';
import { type RegistrationConfig, RegistrationServiceSettings } from '@vestibule/registration/config';
import {
  customSetting,
  type Environment,
  loadEach,
  loadSettings,
  parseServerUrl,
} from '@vestibule/service/settings';
import {
  AUTHORIZATION_SERVER_SETTINGS,
  checkAuthorizationServerSettings,
  EGRESS_SETTINGS,
  INITIAL_TOKEN_SETTINGS,
  KEY_COPY_SETTINGS,
  portSetting,
  SHARED_SETTINGS,
  STORE_SETTINGS,
  TRACE_SETTINGS,
} from '@vestibule/service/shared-settings';
import { type Static, type TObject, Type } from 'typebox';
import {
  checkLoginProvider,
  checkRoleScope,
  checkRoleValues,
  LOGIN_SETTINGS,
} from './settings/login-settings.js';

/** The settings of the console itself. Those of registration, introspection and federation apply too. */
export const ConsoleSettings = Type.Object({
  BASE_URL: SHARED_SETTINGS.BASE_URL,
  HOST: SHARED_SETTINGS.HOST,
  PORT: portSetting(8087),
  MANAGEMENT_HOST: SHARED_SETTINGS.MANAGEMENT_HOST,
  MANAGEMENT_PORT: SHARED_SETTINGS.MANAGEMENT_PORT,
  ...LOGIN_SETTINGS,
  CONSOLE_PROMETHEUS_URL: Type.Optional(
    customSetting<URL>({
      description:
        'Address of the Prometheus with the metrics of the services, for the figures of the overview. It may be on an internal network, and may be http. Without it the overview shows what the store knows.',
      form: 'an absolute http or https URL without user name, query and fragment',
      read: (text) => {
        const url = parseServerUrl(text);
        return url === undefined || url.search !== ''
          ? { problem: 'must be an absolute http or https URL without user name, query and fragment' }
          : { value: url };
      },
    }),
  ),
  ...KEY_COPY_SETTINGS,
  ...STORE_SETTINGS,
  ...AUTHORIZATION_SERVER_SETTINGS,
  ...INITIAL_TOKEN_SETTINGS,
  ...EGRESS_SETTINGS,
  RATE_LIMITS_ENABLED: SHARED_SETTINGS.RATE_LIMITS_ENABLED,
  TRUSTED_PROXIES: SHARED_SETTINGS.TRUSTED_PROXIES,
  LOG_LEVEL: SHARED_SETTINGS.LOG_LEVEL,
  ...TRACE_SETTINGS,
  SHUTDOWN_DRAIN_MS: SHARED_SETTINGS.SHUTDOWN_DRAIN_MS,
});

/** Every setting that the process reads: its own, and those of the services whose operations it carries out. */
export const CONSOLE_SCHEMAS: readonly TObject[] = [
  ConsoleSettings,
  RegistrationServiceSettings,
  IntrospectionSettings,
  FederationServiceSettings,
];

/** The validated settings of the console. */
export interface ConsoleConfig extends Readonly<Static<typeof ConsoleSettings>> {
  /** Rules for clients. */
  readonly registration: RegistrationConfig;
  /** Rules for introspection. */
  readonly introspection: IntrospectionConfig;
  /** Rules for federation entities. */
  readonly federation: FederationServiceConfig;
}

/**
 * Loads the settings. Those of the other services are read as the command line reads them: what only their
 * endpoints need may be missing.
 * @throws SettingsError with every problem at once
 */
export function loadConsoleConfig(environment: Environment): ConsoleConfig {
  const { own, ...others } = loadEach({
    own: () =>
      loadSettings(ConsoleSettings, environment, [
        checkLoginProvider,
        checkRoleScope,
        checkRoleValues,
        checkAuthorizationServerSettings,
      ]),
    registration: () => loadSettings(RegistrationServiceSettings, environment),
    introspection: () => loadSettings(IntrospectionSettings, environment),
    federation: () => loadFederationConfig(environment),
  });
  return Object.freeze({ ...own, ...others });
}
