import type { Reply, Request } from './fastify-types.js';

/** Which pages of other origins may call a route group and read its answers (Fetch Standard, "CORS protocol"). */
export interface CrossOriginOptions {
  /** Origins as browsers serialise them; `*` is every origin. None where it is empty: no header is sent. */
  readonly origins: readonly string[];
  /** Headers that their requests may carry. */
  readonly requestHeaders: readonly string[];
  /** Headers of responses that they may read, besides those that they always may. */
  readonly exposedHeaders: readonly string[];
}

/** What is done about pages of other origins. Credentials of the browser's own are never asked for. */
export interface CrossOrigin {
  /** Lets a page of an allowed origin read the response; every other page stays without it. */
  share(request: Request, reply: Reply): void;
  /** What a preflight of an allowed origin is answered with; `undefined` for every other request. */
  permission(request: Request, methods: string): Readonly<Record<string, string>> | undefined;
}

const ANY = '*';
/** How long browsers may remember what a preflight was answered: the longest that Chromium takes, in seconds. */
const MAX_AGE_SECONDS = 7_200;

/** @returns `undefined` where no origin is allowed */
export function crossOrigin(options: CrossOriginOptions): CrossOrigin | undefined {
  const { origins, requestHeaders, exposedHeaders } = options;
  if (origins.length === 0) return undefined;
  const allowed = new Set(origins);
  const allowedFor = ({ headers: { origin } }: Request) => {
    if (allowed.has(ANY)) return ANY;
    return origin !== undefined && allowed.has(origin) ? origin : undefined;
  };
  return {
    share: (request, reply) => {
      // Also where nothing is allowed: a cache must not give that response to someone to whom more is.
      if (!allowed.has(ANY)) varyByOrigin(reply);
      const origin = allowedFor(request);
      if (origin === undefined) return;
      reply.header('access-control-allow-origin', origin);
      reply.header('access-control-expose-headers', exposedHeaders.join(', '));
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
