export { logIn, type OpenedLogin, type Part } from './log-in.js';
export { storeClient } from './store-client.js';
