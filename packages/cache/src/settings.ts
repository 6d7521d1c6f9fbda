export { checkedCertificates } from './certificates.js';
export { parseRedisUrl } from './redis-address.js';
