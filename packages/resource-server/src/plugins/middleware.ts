import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResourceRequest } from '../request/resource-request.js';
import type { ResourceVerifier } from '../resource-verifier.js';
import type { AccessToken } from '../verification/access-token.js';
import type { RequestRequirements } from '../verify-request.js';
import { nodeRequest, sendRefusal } from './node.js';

/** A request of Express 4 or 5, or of a framework with the same middleware. */
export interface MiddlewareRequest extends IncomingMessage {
  /** The path that the client called; `url` lacks the part at which a router is mounted. */
  readonly originalUrl?: string;
}

/** Middleware of Express. */
export type Middleware<Request extends MiddlewareRequest = MiddlewareRequest> = (
  request: Request,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** Middleware that verifies requests. What it does with the token of an accepted one is up to `accept`. */
export function verifyingMiddleware<Request extends MiddlewareRequest>(
  server: ResourceVerifier,
  requirements: RequestRequirements,
  accept: (request: Request, token: AccessToken, described: ResourceRequest) => void,
): Middleware<Request> {
  const verify = async (request: Request, response: ServerResponse): Promise<boolean> => {
    const described = nodeRequest(request, request.originalUrl);
    const verification = await server.verify(described, requirements);
    // Other middleware, such as one with a time limit, may have responded meanwhile.
    if (response.headersSent) return false;
    if (verification.outcome === 'refused') {
      sendRefusal(response, verification);
      return false;
    }
    const nonce = server.dpopNonces?.current();
    if (nonce !== undefined) response.setHeader('DPoP-Nonce', nonce);
    accept(request, verification.token, described);
    return true;
  };
  return (request, response, next) => {
    void verify(request, response).then((isAccepted) => {
      if (isAccepted) next();
    }, next);
  };
}
