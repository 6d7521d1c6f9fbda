import {
  type AuthorizationConfig,
  AuthorizationServiceSettings,
  loadAuthorizationConfig,
} from '@vestibule/authorization/config';
import { type ConsoleConfig, ConsoleSettings, loadConsoleConfig } from '@vestibule/console/config';
import {
  type FederationServiceConfig,
  FederationServiceSettings,
  loadFederationConfig,
} from '@vestibule/federation-service/config';
import {
  type ForwardAuthConfig,
  ForwardAuthSettings,
  loadForwardAuthConfig,
} from '@vestibule/forward-auth-service/config';
import {
  type IntrospectionConfig,
  IntrospectionSettings,
  loadIntrospectionConfig,
} from '@vestibule/introspection/config';
import { type LogoutConfig, LogoutSettings, loadLogoutConfig } from '@vestibule/logout-service/config';
import {
  loadRegistrationConfig,
  type RegistrationConfig,
  RegistrationServiceSettings,
} from '@vestibule/registration/config';
import type { ServiceStoreOptions } from '@vestibule/service';
import { type Environment, loadEach, loadSettings } from '@vestibule/service/settings';
import { portSetting, SHARED_SETTINGS, TRACE_SETTINGS } from '@vestibule/service/shared-settings';
import { type Static, type TObject, Type } from 'typebox';
import { consoleEnvironment, DEFAULT_CONSOLE_PORT } from './console-environment.js';
import {
  DEFAULT_DATA_DIR,
  DEFAULT_HOST,
  DEFAULT_PORT,
  hasDatabase,
  serviceEnvironment,
  withLocalDefaults,
} from './local-environment.js';
import { type LocalSecrets, placeholderSecrets, prepareLocalSecrets } from './local-secrets.js';

/** The settings of the standalone process itself; those of every service apply too. */
export const StandaloneSettings = Type.Object({
  DATA_DIR: Type.String({
    description: 'Folder of the embedded database and of generated secrets.',
    default: DEFAULT_DATA_DIR,
    minLength: 1,
    maxLength: 4096,
  }),
  DATABASE_URL: Type.Optional(SHARED_SETTINGS.DATABASE_URL),
  HOST: Type.String({
    description: 'Address to listen on.',
    default: DEFAULT_HOST,
    minLength: 1,
    maxLength: 255,
  }),
  PORT: portSetting(DEFAULT_PORT),
  FORWARD_AUTH_HOST: Type.String({
    description: 'Address to listen on for forward authentication. Only gateways may reach it.',
    default: DEFAULT_HOST,
    minLength: 1,
    maxLength: 255,
  }),
  FORWARD_AUTH_PORT: Type.Integer({
    description: 'Port of forward authentication. It is opened only if ROUTES_FILE is set.',
    default: 8086,
    minimum: 0,
    maximum: 65_535,
  }),
  CONSOLE_HOST: Type.String({
    description: 'Address to listen on for the console.',
    default: DEFAULT_HOST,
    minLength: 1,
    maxLength: 255,
  }),
  CONSOLE_PORT: Type.Integer({
    description:
      'Port of the console; 0 turns it off. It is opened if CONSOLE_URL is set, or for the demonstration users while BASE_URL and HOST are loopback addresses and the database is the embedded one.',
    default: DEFAULT_CONSOLE_PORT,
    minimum: 0,
    maximum: 65_535,
  }),
  MANAGEMENT_HOST: SHARED_SETTINGS.MANAGEMENT_HOST,
  MANAGEMENT_PORT: SHARED_SETTINGS.MANAGEMENT_PORT,
  TRUSTED_PROXIES: SHARED_SETTINGS.TRUSTED_PROXIES,
  LOG_LEVEL: SHARED_SETTINGS.LOG_LEVEL,
  ...TRACE_SETTINGS,
  SHUTDOWN_DRAIN_MS: SHARED_SETTINGS.SHUTDOWN_DRAIN_MS,
});

/** Every setting that the process reads: its own and those of each service. */
export const STANDALONE_SCHEMAS: readonly TObject[] = [
  StandaloneSettings,
  AuthorizationServiceSettings,
  ConsoleSettings,
  FederationServiceSettings,
  ForwardAuthSettings,
  IntrospectionSettings,
  LogoutSettings,
  RegistrationServiceSettings,
];

/** The configuration of the standalone process and of every service in it. */
export interface StandaloneConfig extends Readonly<Static<typeof StandaloneSettings>> {
  readonly authorization: AuthorizationConfig;
  /** Absent if there is none. Its address is that of the console in this process. */
  readonly console: (ConsoleConfig & { readonly isDemonstration: boolean }) | undefined;
  readonly federation: FederationServiceConfig;
  /** Absent without a routes file. Its address is that of forward authentication in this process. */
  readonly forwardAuth: ForwardAuthConfig | undefined;
  readonly introspection: IntrospectionConfig;
  readonly logout: LogoutConfig;
  readonly registration: RegistrationConfig;
  readonly store: ServiceStoreOptions['settings'];
  readonly secrets: LocalSecrets;
}

/**
 * Reads the settings of the process and of every service in it, and creates the secrets that are not configured.
 * Nothing is created before all settings are valid.
 * @throws SettingsError with every problem at once
 * @throws StartError if the data folder cannot be used
 */
export function loadStandaloneConfig(given: Environment): StandaloneConfig {
  const wanted = withLocalDefaults(given);
  const { own } = loadAll({ ...wanted, ...placeholderSecrets(wanted) });
  const secrets = prepareLocalSecrets(own.DATA_DIR, wanted);
  const { registration, introspection, logout, authorization, federation, ...loaded } = loadAll({
    ...wanted,
    ...secrets.environment,
  });
  const { FORWARD_AUTH_HOST: HOST, FORWARD_AUTH_PORT: PORT } = own;
  const forwardAuth = loaded.forwardAuth && { ...loaded.forwardAuth, HOST, PORT };
  const ownConsole = loaded.console && {
    ...loaded.console,
    HOST: own.CONSOLE_HOST,
    PORT: own.CONSOLE_PORT,
  };
  return {
    ...own,
    registration,
    introspection,
    logout,
    authorization,
    console: ownConsole,
    federation,
    forwardAuth,
    store: authorization,
    secrets,
  };
}

function loadAll(wanted: Environment) {
  const environment = serviceEnvironment(wanted);
  return loadEach({
    own: () => loadSettings(StandaloneSettings, wanted),
    registration: () => loadRegistrationConfig(environment),
    introspection: () => loadIntrospectionConfig(environment),
    logout: () => loadLogoutConfig(environment),
    authorization: () => loadAuthorizationConfig(environment),
    federation: () => loadFederationConfig(environment),
    console: () => loadConsole(environment, !hasDatabase(wanted)),
    forwardAuth: () => (wanted.ROUTES_FILE === undefined ? undefined : loadForwardAuthConfig(environment)),
  });
}

function loadConsole(given: Environment, isEmbedded: boolean): StandaloneConfig['console'] {
  const wanted = consoleEnvironment(given, isEmbedded);
  if (wanted === undefined) return undefined;
  return { ...loadConsoleConfig(wanted.environment), isDemonstration: wanted.isDemonstration };
}
