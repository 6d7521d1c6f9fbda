import type { ResourceVerifier } from '../resource-verifier.js';
import type { AccessToken } from '../verification/access-token.js';
import type { RequestRequirements } from '../verify-request.js';
import { type Middleware, type MiddlewareRequest, verifyingMiddleware } from './middleware.js';
import { nodeRequest, sendMetadata } from './node.js';
import { verifiedTokens } from './verified-tokens.js';

export type { Middleware, MiddlewareRequest };

const tokens = verifiedTokens();

/** Middleware that lets a request pass if {@link ResourceVerifier.verify} accepts it, and responds otherwise. */
export function protect(server: ResourceVerifier, requirements: RequestRequirements = {}): Middleware {
  return verifyingMiddleware(server, requirements, tokens.note);
}

/** The access token of a request that passed {@link protect}. @throws TypeError for any other request */
export function accessTokenOf(request: MiddlewareRequest): AccessToken {
  return tokens.of(request);
}

/** Middleware that serves the protected resource metadata of the API (RFC 9728). */
export function serveMetadata(server: ResourceVerifier): Middleware {
  return (request, response, next) => {
    if (!sendMetadata(server, nodeRequest(request, request.originalUrl), response)) next();
  };
}
