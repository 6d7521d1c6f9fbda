export { type Bearer, parseBearer } from './bearer.js';
export { type BearerChallenge, bearerChallenge } from './bearer-challenge.js';
export type { BodyFormat } from './body-format.js';
export { isCleanText } from './clean-text.js';
export {
  type CertificateHeader,
  type ClientCertificateOptions,
  type ClientCertificateReading,
  clientCertificateReader,
  type PresentedCertificate,
} from './client-certificate.js';
export { type ClientCertificateSettings, clientCertificateOptions } from './client-certificate-settings.js';
export { type CountClientRefusal, clientRefusalCounter } from './client-refusal-counter.js';
export {
  type ClientRegistrationConfig,
  type CommonRegistrationSettings,
  commonRegistrationSettings,
  supportedClientMetadata,
} from './client-registration.js';
export type { CrossOriginOptions } from './cross-origin.js';
export {
  type ErrorPresenter,
  type ErrorResponse,
  type ErrorTable,
  emptyError,
  JSON_CONTENT_TYPE,
  jsonError,
  type LanguageRequest,
  throttledError,
} from './error-table.js';
export { type ErrorOccasions, errorsReference } from './errors-reference.js';
export {
  type FailedAuthenticationThrottle,
  type FailedAuthenticationThrottleOptions,
  failedAuthenticationThrottle,
  openFailedAuthenticationThrottle,
} from './failed-authentication-throttle.js';
export type { Handler, Hook, Reply, Request, Server } from './fastify-types.js';
export { type FormBodyOptions, formBody } from './form-body.js';
export type { HttpMetrics, OperationMetrics } from './http-metrics.js';
export { type JsonBodyOptions, jsonBody } from './json-body.js';
export { type LastingFaultOptions, lastingFault } from './lasting-fault.js';
export { LOG_LEVELS, type LogLevel } from './log-levels.js';
export { createLogger, type LogEntry, type Logger, type LogOptions } from './logger.js';
export { createMetrics, type Metrics } from './metrics.js';
export { networkOf } from './network-of.js';
export { documentedRouteGroup, type ServedApiDocument } from './openapi/documented-route-group.js';
export type { OpenApiPart } from './openapi/open-api-part.js';
export { objectOf, openObject } from './openapi/open-object.js';
export { type OpenApiDocument, type OpenApiOptions, openApiDocument } from './openapi/openapi-document.js';
export type {
  HeaderDescription,
  OperationDescription,
  ResponseDescription,
} from './openapi/operation-description.js';
export type { ProcessHost, ShutdownSignal } from './process-host.js';
export { type ReadMetric, readCounter, readGauge } from './read-metrics.js';
export type { Dependency } from './readiness.js';
export { languagesOf } from './request-languages.js';
export { type RequestMember, requestMember } from './request-member.js';
export { checkMasterToken, requireMasterToken } from './require-master-token.js';
export type { Method, ResourceRoutes } from './resource.js';
export { type Route, type RouteDefinition, route } from './route.js';
export { type AddResource, defineRouteGroup, type RouteGroupOptions } from './route-group.js';
export { createServer, type ServerOptions } from './server.js';
export { beginDrain } from './server-context.js';
export type { ServerTls } from './server-tls.js';
export { createServiceEgress, type ServiceEgressOptions } from './service-egress.js';
export { openServiceStore, type ServiceStore, type ServiceStoreOptions } from './service-store.js';
export {
  type SecretOptions,
  type SettingOptions,
  type SettingReader,
  secretSetting,
  splitList,
} from './setting.js';
export { closeSlowClient } from './slow-client-timeout.js';
export { type TextBodyOptions, textBody } from './text-body.js';
export { serverTls, type TlsSettings } from './tls-settings.js';
export type { RequestTracer } from './tracing/request-tracer.js';
export type { TraceSettings } from './tracing/trace-settings.js';
export { parseUrlEncoded, type UrlEncodedFields } from './url-encoded.js';
