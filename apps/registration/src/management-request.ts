import type { DeleteClientInput } from '@vestibule/clients/management';
import type { Request } from '@vestibule/http';
import { bearerToken } from './bearer-token.js';
import { parseEntityTags } from './entity-tags.js';

/** Reads the client identifier, credential and conditions of a request about one client. */
export function managementRequest(request: Pick<Request, 'headers' | 'params'>): DeleteClientInput {
  // The route pattern guarantees the identifier, and the router has decoded it.
  const { id } = request.params as { readonly id: string };
  const ifMatch = parseEntityTags(request.headers['if-match'])?.strong;
  const ifNoneMatch = parseEntityTags(request.headers['if-none-match'])?.weak;
  return { id, token: bearerToken(request), ifMatch, ifNoneMatch };
}
