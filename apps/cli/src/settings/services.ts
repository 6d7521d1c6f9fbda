import { AuthorizationServiceSettings, loadAuthorizationConfig } from '@vestibule/authorization/config';
import { ConsoleSettings, loadConsoleConfig } from '@vestibule/console/config';
import { FederationServiceSettings, loadFederationConfig } from '@vestibule/federation-service/config';
import { ForwardAuthSettings, loadForwardAuthConfig } from '@vestibule/forward-auth-service/config';
import { IntrospectionSettings, loadIntrospectionConfig } from '@vestibule/introspection/config';
import { LogoutSettings, loadLogoutConfig } from '@vestibule/logout-service/config';
import { loadRegistrationConfig, RegistrationServiceSettings } from '@vestibule/registration/config';
import type { Environment } from '@vestibule/service/settings';
import type { TObject } from 'typebox';

/** Settings of a service, and its own loader. */
export interface ServiceSettings {
  readonly schema: TObject;
  /**
   * Loads the settings.
   * @throws SettingsError with all problems
   */
  readonly load: (environment: Environment) => unknown;
  /** A setting without which an installation does not have the service. Default: every installation has it. */
  readonly neededSetting?: string;
}

/** The names of the services. */
export const SERVICE_NAMES = [
  'registration',
  'introspection',
  'logout',
  'federation',
  'authorization',
  'forward-auth',
  'console',
] as const;

/** The name of a service. */
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** All services with their settings and rules: the same checks as at startup. */
export const SERVICES: Readonly<Record<ServiceName, ServiceSettings>> = {
  registration: { schema: RegistrationServiceSettings, load: loadRegistrationConfig },
  introspection: { schema: IntrospectionSettings, load: loadIntrospectionConfig },
  logout: { schema: LogoutSettings, load: loadLogoutConfig },
  federation: { schema: FederationServiceSettings, load: loadFederationConfig },
  authorization: { schema: AuthorizationServiceSettings, load: loadAuthorizationConfig },
  'forward-auth': {
    schema: ForwardAuthSettings,
    load: loadForwardAuthConfig,
    neededSetting: 'ROUTES_FILE',
  },
  console: { schema: ConsoleSettings, load: loadConsoleConfig, neededSetting: 'CONSOLE_URL' },
};
