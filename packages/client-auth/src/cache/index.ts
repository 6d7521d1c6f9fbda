export {
  type AuthenticationCache,
  type AuthenticationCacheOptions,
  authenticationCache,
} from './authentication-cache.js';
export { cachedClients } from './client-cache.js';
export type { ClientReader, ClientReading } from './client-reading.js';
export type { ClientValidity, ClientWatch } from './client-watch.js';
