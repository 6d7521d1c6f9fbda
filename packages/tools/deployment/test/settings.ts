import { AuthorizationServiceSettings, loadAuthorizationConfig } from '@vestibule/authorization';
import { FederationServiceSettings, loadFederationConfig } from '@vestibule/federation-service';
import { ForwardAuthSettings, loadForwardAuthConfig } from '@vestibule/forward-auth-service';
import { IntrospectionSettings, loadIntrospectionConfig } from '@vestibule/introspection';
import { LogoutSettings, loadLogoutConfig } from '@vestibule/logout-service';
import { loadRegistrationConfig, RegistrationServiceSettings } from '@vestibule/registration';
import type { TObject } from 'typebox';

/** The settings of a service. */
export interface ServiceSettings {
  readonly schema: TObject;
  /** Throws for invalid settings. */
  readonly load: (environment: Readonly<Record<string, string>>) => unknown;
}

/** The services, by their folders in apps/. */
export const SERVICE_SETTINGS: ReadonlyMap<string, ServiceSettings> = new Map<string, ServiceSettings>([
  ['registration', { schema: RegistrationServiceSettings, load: loadRegistrationConfig }],
  ['introspection', { schema: IntrospectionSettings, load: loadIntrospectionConfig }],
  ['logout', { schema: LogoutSettings, load: loadLogoutConfig }],
  ['federation', { schema: FederationServiceSettings, load: loadFederationConfig }],
  ['authorization', { schema: AuthorizationServiceSettings, load: loadAuthorizationConfig }],
  ['forward-auth', { schema: ForwardAuthSettings, load: loadForwardAuthConfig }],
]);

/** The services of every installation, which share a database. Forward authentication has none, and is optional. */
export const STORE_SERVICES: readonly string[] = [...SERVICE_SETTINGS]
  .filter(([, { schema }]) => 'DATABASE_URL' in schema.properties)
  .map(([name]) => name);

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
