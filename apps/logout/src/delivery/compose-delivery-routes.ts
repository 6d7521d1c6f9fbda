import { createMasterToken } from '@vestibule/crypto';
import type { Store } from '@vestibule/database';
import type { LogoutConfig } from '../config.js';
import type { DeliveryRoutesDeps } from './delivery-routes.js';

/** Composes the dependencies of the delivery routes from the settings and a store. */
export function composeDeliveryRoutes(
  config: Pick<LogoutConfig, 'BASE_URL' | 'MASTER_TOKEN_SHA256' | 'API_PAGE_ENABLED'>,
  { database, clock }: Pick<Store, 'database' | 'clock'>,
): DeliveryRoutesDeps {
  const { logoutDeliveries: recorded } = database.actingAs({ actor: 'master', clock });
  return {
    issuer: config.BASE_URL,
    masterToken: createMasterToken(config.MASTER_TOKEN_SHA256),
    hasApiPage: config.API_PAGE_ENABLED,
    outbox: { list: database.logoutDeliveries.list, redeliver: recorded.redeliver },
  };
}
