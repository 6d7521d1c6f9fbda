import { AuthorizationServiceSettings, loadAuthorizationConfig } from '@vestibule/authorization';
import { CONSOLE_SCHEMAS, loadConsoleConfig } from '@vestibule/console/config';
import { FederationServiceSettings, loadFederationConfig } from '@vestibule/federation-service';
import { ForwardAuthSettings, loadForwardAuthConfig } from '@vestibule/forward-auth-service';
import { IntrospectionSettings, loadIntrospectionConfig } from '@vestibule/introspection';
import { LogoutSettings, loadLogoutConfig } from '@vestibule/logout-service';
import { loadRegistrationConfig, RegistrationServiceSettings } from '@vestibule/registration';
import Type, { type TObject } from 'typebox';

/** The settings of a service. */
export interface ServiceSettings {
  readonly schema: TObject;
  /** Throws for invalid settings. */
  readonly load: (environment: Readonly<Record<string, string>>) => unknown;
}

/** All settings of the console: its own, which come first, and those of the services whose operations it carries out. */
const CONSOLE_SCHEMA = Type.Object(
  Object.assign({}, ...CONSOLE_SCHEMAS.toReversed().map(({ properties }) => properties)),
);

/** The services, by their folders in apps/. */
export const SERVICE_SETTINGS: ReadonlyMap<string, ServiceSettings> = new Map<string, ServiceSettings>([
  ['registration', { schema: RegistrationServiceSettings, load: loadRegistrationConfig }],
  ['introspection', { schema: IntrospectionSettings, load: loadIntrospectionConfig }],
  ['logout', { schema: LogoutSettings, load: loadLogoutConfig }],
  ['federation', { schema: FederationServiceSettings, load: loadFederationConfig }],
  ['authorization', { schema: AuthorizationServiceSettings, load: loadAuthorizationConfig }],
  ['forward-auth', { schema: ForwardAuthSettings, load: loadForwardAuthConfig }],
  ['console', { schema: CONSOLE_SCHEMA, load: loadConsoleConfig }],
]);

/** The services that only some installations have. */
const OPTIONAL_SERVICES = ['forward-auth', 'console'];

/** The services of every installation. They share a database, and are behind the gateway. */
export const STORE_SERVICES: readonly string[] = [...SERVICE_SETTINGS.keys()].filter(
  (name) => !OPTIONAL_SERVICES.includes(name),
);

/** The names that are not settings of a service. */
export function unknownSettings(service: string, names: readonly string[]): readonly string[] {
  const known = SERVICE_SETTINGS.get(service)?.schema.properties ?? {};
  return names.filter((name) => !isKnown(known, name));
}

function isKnown(known: Readonly<Record<string, object>>, name: string): boolean {
  if (name in known) return true;
  const secret = known[name.replace(/_FILE$/, '')];
  return name.endsWith('_FILE') && secret !== undefined && 'isSecret' in secret && secret.isSecret === true;
}

/** The default port of a service. */
export function defaultPort(service: string): unknown {
  const port = SERVICE_SETTINGS.get(service)?.schema.properties['PORT'];
  return port !== undefined && 'default' in port ? port.default : undefined;
}
