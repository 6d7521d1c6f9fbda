import type { IncomingMessage } from 'node:http';
import { headerValues } from '@vestibule/resource-server/node';
import type { GatewayRequest } from '../decision.js';
import type { ForwardAuthDeps } from '../deps.js';

/** Path in front of that of the client, `path_prefix` of Envoy. */
export const ENVOY_PREFIX = '/envoy';

/** Describes the request of the client, which Envoy sends with its method, host and path, below a prefix. */
export function prefixedRequest(
  message: IncomingMessage,
  { clientCertificate }: Pick<ForwardAuthDeps, 'clientCertificate'>,
): GatewayRequest {
  const { rawHeaders, method = '', headers, url = '' } = message;
  return {
    method,
    host: headers.host ?? '',
    url: url.slice(ENVOY_PREFIX.length),
    header: (name) => headerValues(rawHeaders, name),
    clientCertificate: () => clientCertificate(message),
  };
}
