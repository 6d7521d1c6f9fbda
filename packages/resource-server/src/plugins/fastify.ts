import type { IncomingMessage } from 'node:http';
import type { ResourceVerifier } from '../resource-verifier.js';
import type { AccessToken } from '../verification/access-token.js';
import type { RequestRequirements } from '../verify-request.js';
import { METADATA_HEADERS, METADATA_PREFLIGHT_HEADERS, nodeRequest } from './node.js';
import { verifiedTokens } from './verified-tokens.js';

/** What is used of a request of Fastify. */
export interface FastifyRequestLike {
  readonly raw: IncomingMessage;
  /** The path that the client called. */
  readonly originalUrl: string;
}

/** What is used of a reply of Fastify. */
export interface FastifyReplyLike {
  code(status: number): unknown;
  header(name: string, value: string): unknown;
  headers(values: Record<string, string>): unknown;
  send(body: string): unknown;
}

/** A hook of Fastify. */
export type RequestHook = (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>;

/** A route of Fastify. */
export interface MetadataRoute {
  readonly method: ['GET', 'OPTIONS'];
  readonly url: string;
  handler(request: Pick<FastifyRequestLike, 'raw'>, reply: FastifyReplyLike): unknown;
}

const tokens = verifiedTokens();

/** An `onRequest` hook that lets a request pass if {@link ResourceVerifier.verify} accepts it, and responds otherwise. */
export function protect(server: ResourceVerifier, requirements: RequestRequirements = {}): RequestHook {
  return async (request, reply) => {
    const verification = await server.verify(nodeRequest(request.raw, request.originalUrl), requirements);
    if (verification.outcome === 'refused') {
      const { status, headers, body } = verification;
      reply.code(status);
      reply.headers({ ...headers });
      return reply.send(body);
    }
    const nonce = server.dpopNonces?.current();
    if (nonce !== undefined) reply.header('DPoP-Nonce', nonce);
    tokens.note(request.raw, verification.token);
    return undefined;
  };
}

/** The access token of a request that passed {@link protect}. @throws TypeError for any other request */
export function accessTokenOf({ raw }: Pick<FastifyRequestLike, 'raw'>): AccessToken {
  return tokens.of(raw);
}

/**
 * The route that serves the protected resource metadata of the API (RFC 9728), for `app.route`. Applications in browsers
 * may read them too.
 */
export function metadataRoute(server: ResourceVerifier): MetadataRoute {
  const { path, json } = server.metadata();
  return {
    method: ['GET', 'OPTIONS'],
    url: path,
    handler: ({ raw }, reply) => {
      const isPreflight = raw.method === 'OPTIONS';
      reply.code(isPreflight ? 204 : 200);
      reply.headers(isPreflight ? { ...METADATA_PREFLIGHT_HEADERS } : { ...METADATA_HEADERS });
      return reply.send(isPreflight ? '' : json);
    },
  };
}
