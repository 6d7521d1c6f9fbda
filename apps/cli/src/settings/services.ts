import { AuthorizationServiceSettings, loadAuthorizationConfig } from '@vestibule/authorization/config';
import { FederationServiceSettings, loadFederationConfig } from '@vestibule/federation-service/config';
import { IntrospectionSettings, loadIntrospectionConfig } from '@vestibule/introspection/config';
import { LogoutSettings, loadLogoutConfig } from '@vestibule/logout-service/config';
import { loadRegistrationConfig, RegistrationServiceSettings } from '@vestibule/registration/config';
import type { Environment } from '@vestibule/service-kit/settings';
import type { TObject } from 'typebox';

/** The settings of one service, and how it reads them itself. */
export interface ServiceSettings {
  readonly schema: TObject;
  /** @throws SettingsError with every problem at once */
  readonly load: (environment: Environment) => unknown;
}

/** The names of the services. */
export const SERVICE_NAMES = [
  'registration',
  'introspection',
  'logout',
  'federation',
  'authorization',
] as const;

/** The name of a service. */
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** The services, each with its own settings and rules: what is checked here is what they check when they start. */
export const SERVICES: Readonly<Record<ServiceName, ServiceSettings>> = {
  registration: { schema: RegistrationServiceSettings, load: loadRegistrationConfig },
  introspection: { schema: IntrospectionSettings, load: loadIntrospectionConfig },
  logout: { schema: LogoutSettings, load: loadLogoutConfig },
  federation: { schema: FederationServiceSettings, load: loadFederationConfig },
  authorization: { schema: AuthorizationServiceSettings, load: loadAuthorizationConfig },
};
