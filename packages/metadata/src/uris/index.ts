export { KNOWN_PRIVATE_USE_SCHEMES } from './known-schemes.js';
export { isPrivateUseScheme } from './redirect-uri.js';
export { resourceName } from './resource-identifier.js';
export { type ExaminedUri, examineUri, LOOPBACK_HOSTS } from './uri-reading.js';
export { readSecureUrl } from './web-url.js';
