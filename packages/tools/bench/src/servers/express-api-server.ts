import { createServer } from 'node:http';
import { accessTokenOf, protect } from '@vestibule/resource-server/express';
import express, { type Request, type RequestHandler } from 'express';
import { Type } from 'typebox';
import { API_PATH, ApiConfiguration, SUBJECT_HEADER, type TokenRequirements } from './api-configuration.js';
import { apiResourceServer } from './api-resource-server.js';
import { listenOn, serveParent } from './serve-parent.js';

const Configuration = Type.Intersect([
  ApiConfiguration,
  Type.Object({ library: Type.Enum(['@vestibule/resource-server', 'express-oauth2-jwt-bearer']) }),
]);

/** Middleware before the handler, and the subject of a request that passed it. */
interface TokenCheck {
  readonly middleware: readonly RequestHandler[];
  readonly subjectOf: (request: Request) => string | undefined;
}

const JWT_BEARER: string = 'express-oauth2-jwt-bearer';

// An API on Express that checks the access token of each request.
await serveParent(Configuration, async ({ library, requirements, body }) => {
  const { middleware, subjectOf } =
    library === '@vestibule/resource-server' ? verification(requirements) : await validation(requirements);
  const app = express();
  app.get(API_PATH, ...middleware, (request, response) => {
    response.set({ [SUBJECT_HEADER]: subjectOf(request), 'content-type': 'application/json' }).send(body);
  });
  return { listen: () => listenOn(createServer(app)) };
});

function verification(requirements: TokenRequirements): TokenCheck {
  const { scope } = requirements;
  return {
    middleware: [protect(apiResourceServer(requirements), { scope })],
    subjectOf: (request) => accessTokenOf(request).subject,
  };
}

/**
 * What is used of express-oauth2-jwt-bearer. Its own types extend the request of Express in another way than those of the
 * MCP SDK, so that a program cannot have both.
 */
interface JwtBearerModule {
  auth(options: {
    readonly issuer: string;
    readonly jwksUri: string;
    readonly audience: string;
    readonly tokenSigningAlg: string;
  }): RequestHandler;
  requiredScopes(scope: string): RequestHandler;
}

/** Verifies the signature of each token, and never introspects. */
async function validation(requirements: TokenRequirements): Promise<TokenCheck> {
  const { auth, requiredScopes }: JwtBearerModule = await import(JWT_BEARER);
  const { issuer, jwksUri, audience, scope } = requirements;
  return {
    middleware: [auth({ issuer, jwksUri, audience, tokenSigningAlg: 'ES256' }), requiredScopes(scope)],
    subjectOf: (request: Request & { readonly auth?: { readonly payload?: { readonly sub?: string } } }) =>
      request.auth?.payload?.sub,
  };
}
