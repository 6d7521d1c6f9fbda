import { createServer, type IncomingMessage, type Server, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InvalidTokenError, ServerError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import type { OAuthTokenVerifier } from '@modelcontextprotocol/sdk/server/auth/provider.js';
import { aDpopClient } from '@vestibule/crypto/testing';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ResourceServer } from '../create-resource-server.js';
import { rotatingDpopNonces } from '../dpop/dpop-nonces.js';
import { json, type ProgrammedServer, startProgrammedServer } from '../testing/authorization-server.js';
import { active, aResourceServer, TOKEN } from '../testing/resource-server-fixture.js';
import * as forExpress from './express.js';
import * as forFastify from './fastify.js';
import * as forHono from './hono.js';
import * as forMcp from './mcp.js';
import { nodeRequest, sendMetadata, sendRefusal } from './node.js';

/** Starts an API with `/orders/:id`, which responds with the subject, on some framework. */
type StartApi = (server: ResourceServer) => Promise<string>;

const NEEDED = { scope: 'orders:read' };

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const FRAMEWORKS: Readonly<Record<string, StartApi>> = {
  node: (server) =>
    listening(
      createServer(async (message, response) => {
        const request = nodeRequest(message);
        if (sendMetadata(server, request, response)) return;
        const verification = await server.verify(request, NEEDED);
        if (verification.outcome === 'refused') sendRefusal(response, verification);
        else response.end(`orders of ${verification.token.subject}`);
      }),
    ),
  express: (server) => {
    const app = express();
    const router = express.Router();
    app.use(forExpress.serveMetadata(server));
    router.get('/:id', forExpress.protect(server, NEEDED), (request, response) => {
      response.send(`orders of ${forExpress.accessTokenOf(request).subject}`);
    });
    app.use('/orders', router);
    return listening(createServer(app));
  },
  fastify: async (server) => {
    const app = Fastify();
    onTestFinished(() => app.close());
    app.route(forFastify.metadataRoute(server));
    app.get('/orders/:id', { onRequest: forFastify.protect(server, NEEDED) }, async (request) => {
      return `orders of ${forFastify.accessTokenOf(request).subject}`;
    });
    return app.listen({ port: 0, host: '127.0.0.1' });
  },
  hono: (server) => {
    const app = new Hono();
    app.on(['GET', 'OPTIONS'], server.metadata().path, forHono.metadataHandler(server));
    app.get('/orders/:id', forHono.protect(server, NEEDED), (context) =>
      context.text(`orders of ${forHono.accessTokenOf(context).subject}`),
    );
    return listening(createServer(honoListener(app)));
  },
  mcp: (server) => {
    const app = express();
    app.use(forExpress.serveMetadata(server));
    app.get('/orders/:id', forMcp.protect(server, NEEDED), (request, response) => {
      response.send(`orders of ${request.auth?.extra?.['subject']}`);
    });
    return listening(createServer(app));
  },
};

/** Calls a Hono application from a server of Node, as its adapters do. */
function honoListener(app: Hono) {
  return async (message: IncomingMessage, response: import('node:http').ServerResponse) => {
    const headers = new Headers();
    for (let index = 0; index < message.rawHeaders.length; index += 2)
      headers.append(message.rawHeaders[index] ?? '', message.rawHeaders[index + 1] ?? '');
    const { method = 'GET' } = message;
    const request = new Request(`http://${message.headers.host}${message.url}`, { method, headers });
    const fetched = await app.fetch(request);
    response.writeHead(fetched.status, Object.fromEntries(fetched.headers)).end(await fetched.text());
  };
}

async function createFixture(start: StartApi, members: unknown = active()) {
  const authorizationServer: ProgrammedServer = await startProgrammedServer(json(members));
  const fixture = aResourceServer(authorizationServer.url, {
    dpop: { nonces: rotatingDpopNonces({ key: Buffer.alloc(32, 1), clock: { nowMs: () => 0 } }) },
  });
  const base = await start(fixture.server);
  const call = async (headers: Readonly<Record<string, string>> = {}, path = '/orders/7?full=1') => {
    const response = await fetch(base + path, { headers });
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  return { ...fixture, authorizationServer, base, call };
}

describe.each(Object.entries(FRAMEWORKS))('an API on %s', (_name, start) => {
  it('lets a request pass that is accepted, and knows its token', async () => {
    const { call } = await createFixture(start);
    expect(await call({ Authorization: `Bearer ${TOKEN}` })).toMatchObject({
      status: 200,
      body: 'orders of alice',
    });
  });

  it('sends status, challenge and body to a request that is refused', async () => {
    const { call, authorizationServer } = await createFixture(start);
    const none = await call();
    expect([none.status, none.body]).toEqual([401, '']);
    expect(none.headers.get('www-authenticate')).toMatch(
      /^Bearer scope="orders:read", resource_metadata="https:/,
    );
    authorizationServer.respond = json({ active: false });
    const refused = await call({ Authorization: `Bearer ${TOKEN}` });
    expect([refused.status, JSON.parse(refused.body).error]).toEqual([401, 'invalid_token']);
    expect(refused.headers.get('content-type')).toContain('application/json');
    authorizationServer.respond = json(active({ scope: 'other' }));
    expect((await call({ Authorization: `Bearer ${TOKEN}` })).status).toBe(403);
    authorizationServer.respond = json({}, 401);
    const unavailable = await call({ Authorization: `Bearer ${TOKEN}` });
    expect([unavailable.status, unavailable.headers.get('retry-after')]).toEqual([503, '1']);
  });

  it('refuses two Authorization headers', async () => {
    const { base } = await createFixture(start);
    const status = await new Promise((resolve) => {
      const headers = [
        'Host',
        'a.example',
        'Authorization',
        `Bearer ${TOKEN}`,
        'authorization',
        `Bearer ${TOKEN}`,
      ];
      sendRequest(`${base}/orders/7`, { headers }, (response) => resolve(response.resume().statusCode)).end();
    });
    expect([400, 401]).toContain(status);
  });

  it('takes a DPoP proof for the address that the client called, and hands out nonces', async () => {
    const client = aDpopClient();
    const { server, call } = await createFixture(start, active({ cnf: { jkt: client.thumbprint } }));
    const [nonce, iat] = [server.dpopNonces?.current(), Date.UTC(2026, 5, 1, 12) / 1000];
    const prove = async (claims: object) => ({
      Authorization: `DPoP ${TOKEN}`,
      DPoP: client.proof(TOKEN, { iat, htu: 'https://api.example/orders/7', ...claims }),
    });
    const refused = await call(await prove({}));
    expect([refused.status, refused.headers.get('dpop-nonce')]).toEqual([401, nonce]);
    expect((await call(await prove({ nonce }))).status).toBe(200);
    expect((await call(await prove({ nonce, htu: 'https://api.example/7' }))).status).toBe(401);
  });

  it('serves the metadata of the API', async () => {
    const { server, call } = await createFixture(start);
    const { status, headers, body } = await call({}, server.metadata().path);
    expect([status, JSON.parse(body)]).toEqual([200, server.metadata().document]);
    expect(headers.get('content-type')).toContain('application/json');
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it('lets pages of every origin read the metadata of the API, with the version of MCP in the request', async () => {
    const { server, base } = await createFixture(start);
    const response = await fetch(base + server.metadata().path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'mcp-protocol-version',
      },
    });
    expect([response.status, await response.text()]).toEqual([204, '']);
    const { headers } = response;
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toBe('GET');
    expect(headers.get('access-control-allow-headers')?.split(', ')).toContain('MCP-Protocol-Version');
    expect(headers.get('access-control-allow-credentials')).toBe(null);
  });
});

it('middleware sends a refusal with its length', async () => {
  const { call } = await createFixture(
    (server) => {
      const verify = forExpress.protect(server);
      return listening(
        createServer((request, response) => verify(request, response, () => expect.unreachable())),
      );
    },
    { active: false },
  );
  const { headers, body } = await call({ Authorization: `Bearer ${TOKEN}` });
  expect(headers.get('content-length')).toBe(String(body.length));
});

it('middleware sends nothing after a response that was sent meanwhile', async () => {
  const { base, authorizationServer } = await createFixture((server) => {
    const app = express();
    app.use((_request, response, next) => {
      next();
      response.status(504).end('late');
    });
    app.get('/orders/:id', forExpress.protect(server), () => expect.unreachable());
    return listening(createServer(app));
  });
  const response = await fetch(`${base}/orders/7`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  expect(response.status).toBe(504);
  await expect.poll(() => authorizationServer.requests.length).toBe(1);
});

describe('a route that is not protected', () => {
  it('has no access token', () => {
    for (const find of [
      () => forExpress.accessTokenOf({} as IncomingMessage),
      () => forFastify.accessTokenOf({ raw: {} as IncomingMessage }),
    ])
      expect(find).toThrow('the route is not protected');
  });
});

describe('requireBearerAuth of the MCP SDK', () => {
  async function mcpApi(members: unknown) {
    return createFixture((server) => {
      const verifier: OAuthTokenVerifier = forMcp.tokenVerifier(server, { InvalidTokenError, ServerError });
      const app = express();
      const resourceMetadataUrl = server.metadata().url;
      const options = { verifier, requiredScopes: ['orders:read'], resourceMetadataUrl };
      const expectedResource = new URL('https://api.example/orders');
      app.get('/orders/:id', requireBearerAuth({ ...options, expectedResource }), (request, response) => {
        response.json(request.auth);
      });
      return listening(createServer(app));
    }, members);
  }

  it('accepts a token, and gives handlers what it says', async () => {
    const { call } = await mcpApi(active({ exp: 4_000_000_000 }));
    const { status, body } = await call({ Authorization: `Bearer ${TOKEN}` });
    expect([status, JSON.parse(body)]).toEqual([
      200,
      {
        token: TOKEN,
        clientId: 'app',
        scopes: ['orders:read'],
        expiresAt: 4_000_000_000,
        resource: 'https://api.example/orders',
        extra: { subject: 'alice', claims: active({ exp: 4_000_000_000 }) },
      },
    ]);
  });

  it.each([
    ['not active', { active: false }, 401],
    ['for another API', active({ exp: 4_000_000_000, aud: 'https://b.example' }), 401],
    ['bound to a key', active({ exp: 4_000_000_000, cnf: { jkt: 'x' } }), 401],
    ['without the scope', active({ exp: 4_000_000_000, scope: '' }), 403],
    ['that introspection cannot tell about', {}, 500],
  ])('refuses a token %s', async (_what, members, status) => {
    const { call } = await mcpApi(members);
    const refused = await call({ Authorization: `Bearer ${TOKEN}` });
    expect(refused.status).toBe(status);
    expect(refused.body).not.toContain(TOKEN);
  });
});
