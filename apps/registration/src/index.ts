export { API_DOCUMENT_PATH, registrationApi } from './api-document.js';
export { buildApp } from './app.js';
export { accessTokenRecognizer, composeRegistration, type RegistrationParts } from './compose.js';
export { loadRegistrationConfig, type RegistrationConfig, RegistrationServiceSettings } from './config.js';
export type { RegistrationServiceDeps } from './deps.js';
export { REGISTRATION_ERRORS } from './presentation.js';
export { type OpenRateLimits, openRateLimits, type RateLimitOptions } from './rate-limits.js';
export { refusedCredentialCounter, refusedRegistrationCounter } from './registration-metrics.js';
export { registrationRouteGroup, registrationRoutes } from './routes.js';
