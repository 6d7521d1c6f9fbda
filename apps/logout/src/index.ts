export { DELIVERY_SECURITY } from './delivery/delivery-api.js';
export {
  DELIVERY_ERRORS,
  type DeliveryRoutesDeps,
  deliveryFamily,
  deliveryRoutes,
} from './delivery/delivery-routes.js';
export { DELIVERY_SETTINGS, type DeliveryConfig } from './delivery/delivery-settings.js';
export { type DeliveriesOptions, openDeliveries } from './delivery/open-deliveries.js';
