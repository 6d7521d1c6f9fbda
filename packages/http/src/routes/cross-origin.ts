import type { Reply, Request } from '../server/fastify-types.js';

/** Cross-origin access to a route group or a resource (Fetch Standard, "CORS protocol"). */
export interface CrossOriginOptions {
  /**
   * Allowed origins in the form of the `Origin` header; `*` allows every origin. If empty, no CORS headers are sent.
   */
  readonly origins: readonly string[];
  /** Request headers that pages may send. */
  readonly requestHeaders: readonly string[];
  /** Response headers that pages may read in addition to the CORS-safelisted ones. */
  readonly exposedHeaders: readonly string[];
}

/** Header in which clients of MCP send the version of their protocol with every request, discovery included. */
export const MCP_VERSION_HEADER = 'MCP-Protocol-Version';

/**
 * Access to a document that requires no credentials: pages of every origin may read it. `Content-Type` and the version of
 * MCP are allowed request headers, because clients in browsers send them with every request.
 */
export const PUBLIC_DOCUMENT: CrossOriginOptions = {
  origins: ['*'],
  requestHeaders: ['Content-Type', MCP_VERSION_HEADER],
  exposedHeaders: [],
};

/** Adds CORS headers. Credentials mode (cookies) is never allowed. */
export interface CrossOrigin {
  /** Lets a page of an allowed origin read the response. */
  share(request: Request, reply: Reply): void;
  /** Response headers for the preflight of an allowed origin; `undefined` for any other request. */
  permission(request: Request, methods: string): Readonly<Record<string, string>> | undefined;
}

/** Allows every origin. */
export const ANY_ORIGIN = '*';
/** How long browsers may cache a preflight response, in seconds. This is the maximum in Chromium. */
const MAX_AGE_SECONDS = 7_200;

/**
 * Creates the CORS handling.
 * @returns `undefined` if no origin is allowed
 */
export function crossOrigin(options: CrossOriginOptions): CrossOrigin | undefined {
  const { origins, requestHeaders, exposedHeaders } = options;
  if (origins.length === 0) return undefined;
  const allowed = new Set(origins);
  const allowedFor = ({ headers: { origin } }: Request) => {
    if (allowed.has(ANY_ORIGIN)) return ANY_ORIGIN;
    return origin !== undefined && allowed.has(origin) ? origin : undefined;
  };
  return {
    share: (request, reply) => {
      // Also if the origin is not allowed: a cache must not serve this response to an allowed origin.
      if (!allowed.has(ANY_ORIGIN)) varyByOrigin(reply);
      const origin = allowedFor(request);
      if (origin === undefined) return;
      reply.header('access-control-allow-origin', origin);
      if (exposedHeaders.length > 0) reply.header('access-control-expose-headers', exposedHeaders.join(', '));
    },
    permission: (request, methods) => {
      const { origin, 'access-control-request-method': wanted } = request.headers;
      if (origin === undefined || wanted === undefined || allowedFor(request) === undefined) return undefined;
      return {
        'access-control-allow-methods': methods,
        'access-control-allow-headers': requestHeaders.join(', '),
        'access-control-max-age': String(MAX_AGE_SECONDS),
      };
    },
  };
}

function varyByOrigin(reply: Reply): void {
  const before = reply.getHeader('vary');
  reply.header('vary', before === undefined ? 'Origin' : `${String(before)}, Origin`);
}
