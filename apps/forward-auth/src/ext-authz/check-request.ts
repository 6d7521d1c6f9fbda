import { X509Certificate } from 'node:crypto';
import type { GatewayRequest } from '../decision.js';
import { decodeCheckRequest, type HeaderValue, type HttpRequest } from './messages.js';

/**
 * Headers whose value never contains a comma. Envoy joins headers of one name with commas, so a comma tells that the client
 * sent several.
 */
const SINGLE_HEADERS: ReadonlySet<string> = new Set(['authorization', 'dpop']);

/**
 * Reads a message of Envoy.
 * @returns the request of the client; `undefined` if the bytes are no such message, or it is not about a request over HTTP
 */
export function readCheckRequest(bytes: Uint8Array): GatewayRequest | undefined {
  const { source, request } = decoded(bytes)?.attributes ?? {};
  const { method = '', host = '', path: url = '' } = request?.http ?? {};
  if (request?.http === undefined || method === '' || host === '' || url === '') return undefined;
  const { http } = request;
  const { certificate = '' } = source ?? {};
  return {
    method,
    host,
    url,
    header: (name) => headerValues(http, name),
    ...(certificate !== '' && { clientCertificate: () => readCertificate(certificate) }),
  };
}

function decoded(bytes: Uint8Array) {
  try {
    return decodeCheckRequest(bytes);
  } catch {
    return undefined;
  }
}

function headerValues(
  { headers = {}, header_map: { headers: listed = [] } = {} }: HttpRequest,
  name: string,
): string | readonly string[] | undefined {
  const joined = Object.hasOwn(headers, name) ? headers[name] : undefined;
  const values = listed.filter(({ key }) => key === name).map(textOf);
  if (joined !== undefined) values.push(joined);
  const single = SINGLE_HEADERS.has(name) ? values.flatMap((value) => value.split(',')) : values;
  return single.length > 1 ? single : single[0];
}

function textOf({ value = '', raw_value: raw }: HeaderValue): string {
  return raw === undefined ? value : Buffer.from(raw).toString('latin1');
}

/** Reads percent-encoded PEM. A certificate that cannot be read proves nothing. */
function readCertificate(text: string): Uint8Array | undefined {
  try {
    return new X509Certificate(decodeURIComponent(text)).raw;
  } catch {
    return undefined;
  }
}
