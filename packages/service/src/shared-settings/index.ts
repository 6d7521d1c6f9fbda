export { checkRedisSettings, REDIS_SETTINGS } from '../redis/redis-settings.js';
export { TRACE_SETTINGS } from '../tracing/trace-settings.js';
export { ASSERTION_SETTINGS } from './assertion-settings.js';
export {
  AUTHORIZATION_SERVER_SETTINGS,
  checkAuthorizationServerSettings,
} from './authorization-server-settings.js';
export {
  CLIENT_CERTIFICATE_SETTINGS,
  checkClientCertificateSettings,
} from './client-certificate-settings.js';
export { CLIENT_SETTINGS } from './client-settings.js';
export { CROSS_ORIGIN_SETTINGS } from './cross-origin-settings.js';
export { EGRESS_SETTINGS } from './egress-settings.js';
export { INITIAL_TOKEN_SETTINGS } from './initial-token-settings.js';
export { KEY_COPY_SETTINGS } from './key-copy-settings.js';
export { checkOpenScopes, OAUTH_SETTINGS } from './oauth-settings.js';
export { portSetting, SHARED_SETTINGS } from './shared-settings.js';
export { CLEAN_UP_SETTINGS, STORE_SETTINGS } from './store-settings.js';
export { checkTlsSettings, TLS_SETTINGS } from './tls-settings.js';
export { checkUpstreamIssuer, UPSTREAM_ISSUER_SETTING } from './upstream-issuer-setting.js';
