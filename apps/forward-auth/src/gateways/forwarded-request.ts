import type { IncomingMessage } from 'node:http';
import { headerValues } from '@vestibule/resource-server/node';
import type { GatewayRequest } from '../decision.js';
import type { ForwardAuthDeps } from '../deps.js';

/** Headers that describe the request of the client. Gateways set them, and remove those of the client. */
const FORWARDED = {
  method: 'x-forwarded-method',
  host: 'x-forwarded-host',
  url: 'x-forwarded-uri',
} as const;

/** What every gateway must send. */
export const FORWARDED_HEADERS_RULE =
  'X-Forwarded-Method, X-Forwarded-Host and X-Forwarded-Uri must each be sent once';

/**
 * Reads the request of the client from the headers of Traefik and Caddy.
 * @returns `undefined` if one of them is missing or repeated: the gateway is not configured for this
 */
export function forwardedRequest(
  message: IncomingMessage,
  { clientCertificate }: Pick<ForwardAuthDeps, 'clientCertificate'>,
): GatewayRequest | undefined {
  const { rawHeaders } = message;
  const method = headerValues(rawHeaders, FORWARDED.method);
  const host = headerValues(rawHeaders, FORWARDED.host);
  const url = headerValues(rawHeaders, FORWARDED.url);
  if (typeof method !== 'string' || typeof host !== 'string' || typeof url !== 'string') return undefined;
  return {
    method,
    host,
    url,
    header: (name) => headerValues(rawHeaders, name),
    clientCertificate: () => clientCertificate(message),
  };
}
