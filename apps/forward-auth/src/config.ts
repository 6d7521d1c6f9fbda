import { type Environment, loadSettings } from '@vestibule/service/settings';
import {
  CLIENT_CERTIFICATE_SETTINGS,
  checkClientCertificateSettings,
  checkTlsSettings,
  EGRESS_SETTINGS,
  portSetting,
  SHARED_SETTINGS,
  TLS_SETTINGS,
  TRACE_SETTINGS,
} from '@vestibule/service/shared-settings';
import { type Static, Type } from 'typebox';
import { checkIntrospectionSettings, INTROSPECTION_SETTINGS } from './settings/introspection-settings.js';
import { checkRoutesSettings, ROUTES_SETTINGS } from './settings/routes-settings.js';
import { UPSTREAM_SETTINGS } from './settings/upstream-settings.js';

/** The settings of the forward authentication service, by environment variable. */
export const ForwardAuthSettings = Type.Object({
  BASE_URL: SHARED_SETTINGS.BASE_URL,
  HOST: Type.String({
    description: 'Address to listen on. Only gateways may reach it.',
    default: '127.0.0.1',
    minLength: 1,
    maxLength: 255,
  }),
  PORT: portSetting(8086),
  GRPC_PORT: Type.Optional(
    Type.Integer({
      description: 'Port for checks of Envoy over gRPC, on HOST. If not set, there is none.',
      minimum: 0,
      maximum: 65_535,
    }),
  ),
  MANAGEMENT_HOST: SHARED_SETTINGS.MANAGEMENT_HOST,
  MANAGEMENT_PORT: SHARED_SETTINGS.MANAGEMENT_PORT,
  ...ROUTES_SETTINGS,
  ...INTROSPECTION_SETTINGS,
  ...UPSTREAM_SETTINGS,
  FORWARD_AUTH_FAST_PATH: Type.Boolean({
    description:
      'Whether requests that are public or have a cached token are served without Fastify. Never while requests are traced or logged (`LOG_LEVEL` `debug` or `trace`).',
    default: true,
  }),
  ...EGRESS_SETTINGS,
  ...TLS_SETTINGS,
  ...CLIENT_CERTIFICATE_SETTINGS,
  TRUSTED_PROXIES: Type.Unsafe<readonly string[]>({
    ...SHARED_SETTINGS.TRUSTED_PROXIES,
    description:
      'Gateways that may send the client certificate. X-Forwarded-Method, -Host and -Uri are trusted from any sender.',
  }),
  API_PAGE_ENABLED: SHARED_SETTINGS.API_PAGE_ENABLED,
  LOG_LEVEL: SHARED_SETTINGS.LOG_LEVEL,
  ...TRACE_SETTINGS,
  SHUTDOWN_DRAIN_MS: SHARED_SETTINGS.SHUTDOWN_DRAIN_MS,
});

/** The validated settings of the forward authentication service. */
export type ForwardAuthConfig = Readonly<Static<typeof ForwardAuthSettings>>;

/**
 * Reads and validates the settings, and the routes file that they name.
 * @throws SettingsError with every problem at once
 */
export function loadForwardAuthConfig(environment: Environment): ForwardAuthConfig {
  return loadSettings(ForwardAuthSettings, environment, [
    checkRoutesSettings,
    checkIntrospectionSettings,
    checkClientCertificateSettings,
    checkTlsSettings,
  ]);
}
