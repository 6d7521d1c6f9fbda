import type { DeleteClientInput } from '@vestibule/clients';
import type { Request } from '@vestibule/service-kit';
import { bearerToken } from './bearer-token.js';
import { parseEntityTags } from './entity-tags.js';

/** What a request about one client says beside its body: which client, by what right, and on what condition. */
export function managementRequest(request: Pick<Request, 'headers' | 'params'>): DeleteClientInput {
  // The pattern of the address says that there is an identifier; the router has decoded it.
  const { id } = request.params as { readonly id: string };
  const ifMatch = parseEntityTags(request.headers['if-match'])?.strong;
  const ifNoneMatch = parseEntityTags(request.headers['if-none-match'])?.weak;
  return { id, token: bearerToken(request), ifMatch, ifNoneMatch };
}
