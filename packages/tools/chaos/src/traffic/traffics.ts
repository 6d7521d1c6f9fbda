import { authorizationTraffic } from './authorization-traffic.js';
import { federationTraffic } from './federation-traffic.js';
import { introspectionTraffic } from './introspection-traffic.js';
import { logoutTraffic } from './logout-traffic.js';
import { registrationTraffic } from './registration-traffic.js';
import type { OpenTraffic } from './traffic.js';

/** The traffic of every service, by the folder of the service. */
export const TRAFFICS = {
  registration: registrationTraffic,
  introspection: introspectionTraffic,
  logout: logoutTraffic,
  federation: federationTraffic,
  authorization: authorizationTraffic,
} as const satisfies Readonly<Record<string, OpenTraffic>>;

/** The name of a service. */
export type ServiceName = keyof typeof TRAFFICS;

/** The names of all services. */
export const SERVICE_NAMES = Object.keys(TRAFFICS) as readonly ServiceName[];
