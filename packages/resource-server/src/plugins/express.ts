import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResourceServer } from '../create-resource-server.js';
import type { AccessToken } from '../verification/access-token.js';
import type { RequestRequirements } from '../verify-request.js';
import { nodeRequest, sendMetadata, sendRefusal } from './node.js';
import { verifiedTokens } from './verified-tokens.js';

/** A request of Express 4 or 5, or of a framework with the same middleware. */
export interface MiddlewareRequest extends IncomingMessage {
  /** The path that the client called; `url` lacks the part at which a router is mounted. */
  readonly originalUrl?: string;
}

/** Middleware of Express. */
export type Middleware = (
  request: MiddlewareRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

const tokens = verifiedTokens();

/** Middleware that lets a request pass if {@link ResourceServer.verify} accepts it, and responds otherwise. */
export function protect(server: ResourceServer, requirements: RequestRequirements = {}): Middleware {
  return (request, response, next) => {
    void server.verify(nodeRequest(request, request.originalUrl), requirements).then((verification) => {
      if (verification.outcome === 'refused') return sendRefusal(response, verification);
      const nonce = server.dpopNonces?.current();
      if (nonce !== undefined) response.setHeader('DPoP-Nonce', nonce);
      tokens.note(request, verification.token);
      next();
    }, next);
  };
}

/** The access token of a request that passed {@link protect}. @throws TypeError for any other request */
export function accessTokenOf(request: MiddlewareRequest): AccessToken {
  return tokens.of(request);
}

/** Middleware that serves the protected resource metadata of the API (RFC 9728). */
export function serveMetadata(server: ResourceServer): Middleware {
  return (request, response, next) => {
    if (!sendMetadata(server, nodeRequest(request, request.originalUrl), response)) next();
  };
}
