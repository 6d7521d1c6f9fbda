import { schemeCredentials } from './authorization-scheme.js';

const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/** The token of a Bearer `Authorization` header (RFC 6750 section 2.1); `undefined` when the header breaks the grammar. */
export function parseBearerToken(header: string): string | undefined {
  const token = schemeCredentials(header);
  return token !== undefined && B64TOKEN.test(token) ? token : undefined;
}
