import { presentedToken } from '../request/presented-token.js';
import type { ResourceVerifier } from '../resource-verifier.js';
import type { AccessToken } from '../verification/access-token.js';
import { audienceName } from '../verification/token-rules.js';
import type { RequestRequirements } from '../verify-request.js';
import { type Middleware, type MiddlewareRequest, verifyingMiddleware } from './middleware.js';

/** What the MCP SDK gives to handlers about the access token (`AuthInfo`). */
export interface McpAuthInfo {
  token: string;
  clientId: string;
  scopes: string[];
  expiresAt?: number;
  /** Identifier of this API, if the token names it. */
  resource?: URL;
  /** `subject`, and `claims`: every member of the introspection response. */
  extra?: Record<string, unknown>;
}

/** Errors of the MCP SDK (`@modelcontextprotocol/sdk/server/auth/errors.js`), by which its middleware knows what to respond. */
export interface McpErrors {
  readonly InvalidTokenError: new (message: string) => Error;
  readonly ServerError: new (message: string) => Error;
}

/** Verifies access tokens for `requireBearerAuth` of the MCP SDK (`OAuthTokenVerifier`). */
export interface McpTokenVerifier {
  verifyAccessToken(token: string): Promise<McpAuthInfo>;
}

/** A request to an MCP server on Express. */
export interface McpRequest extends MiddlewareRequest {
  /** Read by the transport of the MCP SDK. */
  auth?: McpAuthInfo;
}

/**
 * Middleware in place of `requireBearerAuth`: with all that {@link ResourceVerifier.verify} checks, DPoP proofs and 503
 * included. Handlers find the token in `authInfo`.
 */
export function protect(
  server: ResourceVerifier,
  requirements: RequestRequirements = {},
): Middleware<McpRequest> {
  return verifyingMiddleware<McpRequest>(server, requirements, (request, verified, described) => {
    const presented = presentedToken(described);
    request.auth = authInfo(server, presented.kind === 'token' ? presented.token : '', verified);
  });
}

/**
 * A verifier for `requireBearerAuth`. That middleware shows it the token alone, so tokens that are bound to a key are
 * refused, and responds with 500 where introspection is not possible: prefer {@link protect}.
 */
export function tokenVerifier(
  server: ResourceVerifier,
  { InvalidTokenError, ServerError }: McpErrors,
): McpTokenVerifier {
  return {
    verifyAccessToken: async (token) => {
      const header = (name: string) => (name === 'authorization' ? `Bearer ${token}` : undefined);
      const verification = await server.verify({ method: 'POST', url: '/', header });
      if (verification.outcome === 'accepted') return authInfo(server, token, verification.token);
      if (verification.status === 503) throw new ServerError('The access token cannot be checked at present');
      throw new InvalidTokenError('The access token is not active, or not for this server');
    },
  };
}

function authInfo(server: ResourceVerifier, token: string, verified: AccessToken): McpAuthInfo {
  const { clientId = '', scope, audience, expiresAt, subject, claims } = verified;
  const { resource } = server.metadata().document;
  const isNamed = audience.some((name) => audienceName(name) === audienceName(String(resource)));
  return {
    token,
    clientId,
    scopes: [...scope],
    ...(expiresAt !== undefined && { expiresAt }),
    ...(isNamed && { resource: new URL(String(resource)) }),
    extra: { ...(subject !== undefined && { subject }), claims },
  };
}
