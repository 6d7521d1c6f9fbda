import type { ResourceVerifier } from '../resource-verifier.js';
import type { AccessToken } from '../verification/access-token.js';
import type { RequestRequirements } from '../verify-request.js';
import { METADATA_HEADERS, METADATA_PREFLIGHT_HEADERS } from './node.js';
import { verifiedTokens } from './verified-tokens.js';

/** What is used of a context of Hono. */
export interface HonoContextLike {
  readonly req: { readonly raw: Request; readonly method: string; readonly url: string };
  header(name: string, value: string): void;
}

/** Middleware of Hono. */
export type HonoMiddleware = (
  context: HonoContextLike,
  next: () => Promise<void>,
) => Promise<Response | undefined>;

const tokens = verifiedTokens();

/**
 * Middleware that lets a request pass if {@link ResourceVerifier.verify} accepts it, and responds otherwise. It sees no
 * client certificates, so tokens that are bound to one are refused.
 */
export function protect(server: ResourceVerifier, requirements: RequestRequirements = {}): HonoMiddleware {
  return async (context, next) => {
    const { raw, method, url } = context.req;
    const header = (name: string) => raw.headers.get(name) ?? undefined;
    const verification = await server.verify({ method, url, header }, requirements);
    if (verification.outcome === 'refused') {
      const { status, headers, body } = verification;
      return new Response(body, { status, headers });
    }
    const nonce = server.dpopNonces?.current();
    if (nonce !== undefined) context.header('DPoP-Nonce', nonce);
    tokens.note(raw, verification.token);
    await next();
    return undefined;
  };
}

/** The access token of a request that passed {@link protect}. @throws TypeError for any other request */
export function accessTokenOf({ req }: HonoContextLike): AccessToken {
  return tokens.of(req.raw);
}

/**
 * Serves the protected resource metadata of the API (RFC 9728); for a route at `server.metadata().path` with the methods
 * `GET` and `OPTIONS`. Applications in browsers may read them too.
 */
export function metadataHandler(server: ResourceVerifier): (context: HonoContextLike) => Response {
  const { json } = server.metadata();
  return ({ req }) =>
    req.method === 'OPTIONS'
      ? new Response(null, { status: 204, headers: METADATA_PREFLIGHT_HEADERS })
      : new Response(json, { headers: METADATA_HEADERS });
}
