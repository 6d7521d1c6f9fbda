export { isAllowedHost, parseAllowedHosts } from './allowed-hosts.js';
