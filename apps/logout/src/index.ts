export { buildApp } from './app.js';
export type { BrowserSessions } from './browser-sessions.js';
export { composeLogout, type LogoutParts, logoutAgreement } from './compose.js';
export { type LogoutConfig, LogoutSettings, loadLogoutConfig } from './config.js';
export { composeDeliveryRoutes } from './delivery/compose-delivery-routes.js';
export { DELIVERY_DOCUMENT_PATH, deliveryApi } from './delivery/delivery-api.js';
export {
  DELIVERY_ERRORS,
  type DeliveryRoutesDeps,
  deliveryRouteGroup,
  deliveryRoutes,
} from './delivery/delivery-routes.js';
export { DELIVERY_SETTINGS, type DeliveryConfig } from './delivery/delivery-settings.js';
export { type DeliveriesOptions, openDeliveries } from './delivery/open-deliveries.js';
export type { LogoutServiceDeps } from './deps.js';
export type { Messages } from './languages/messages.js';
export { type Brand, type PageSetting, type PageSettingOptions, pageSetting } from './pages/page-setting.js';
export { logoutErrors } from './presentation.js';
export { logoutRoutes } from './routes.js';
export { cookieSessions, type SessionCookie, type SessionCookieDeps } from './session-cookie.js';
