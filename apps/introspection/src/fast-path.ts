import { type FastPath, JSON_CONTENT_TYPE } from '@vestibule/http';
import { introspectCached, introspectionFormat } from '@vestibule/tokens/introspection';
import type { IntrospectionServiceDeps } from './deps.js';
import type { CallerAuthentication } from './introspection-caller.js';
import type { Form } from './introspection-form.js';

/** The response depends on `Accept`, which `Vary` says although no cache may store it (RFC 9110 section 12.5.5). */
export const VARY = { vary: 'Accept' } as const;

/**
 * Responds in JSON to a caller that is cached about a token that is cached and active, by the same operations as the
 * route. A request to consume a token is left to the route.
 */
export function cachedResponses(
  deps: IntrospectionServiceDeps,
  { known, noteUse }: Pick<CallerAuthentication, 'known' | 'noteUse'>,
): Pick<FastPath, 'headers' | 'respond'> {
  return {
    headers: { ...VARY, 'content-type': JSON_CONTENT_TYPE },
    respond: ({ authorization, accept }, form: Form) => {
      const { token, revoke } = form;
      if (token === undefined || revoke !== undefined) return undefined;
      if ((deps.format ?? introspectionFormat(accept)) !== 'json') return undefined;
      const caller = known({ authorization, form });
      if (caller === undefined) return undefined;
      const introspection = introspectCached(deps, { token, caller });
      if (introspection === undefined) return undefined;
      // Nothing is counted before the response is complete.
      const { text, decision } = introspection;
      noteUse(caller);
      deps.states?.countCached?.();
      deps.outcomes?.count(decision);
      return text;
    },
  };
}
