import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompactSign, importJWK } from 'jose';
import type { KeyFixture } from './key-fixtures.js';

/** A server on the loopback address that publishes a JWK set. */
export interface JwksServer {
  readonly url: string;
  /** Number of requests so far. */
  requests(): number;
  /** Publishes exactly these keys from now on. */
  publish(...keys: readonly Pick<KeyFixture, 'publicJwk'>[]): void;
  /** Responds to requests in another way from now on. */
  respond(listener: RequestListener): void;
  close(): Promise<void>;
}

/** Starts a server that publishes keys. */
export async function startJwksServer(
  ...published: readonly Pick<KeyFixture, 'publicJwk'>[]
): Promise<JwksServer> {
  let requests = 0;
  let listener = jwksResponse(published);
  const server = createServer((request, response) => {
    requests += 1;
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`,
    requests: () => requests,
    publish: (...keys) => {
      listener = jwksResponse(keys);
    },
    respond: (other) => {
      listener = other;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function jwksResponse(keys: readonly Pick<KeyFixture, 'publicJwk'>[]): RequestListener {
  const body = JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) });
  return (_request, response) => response.setHeader('content-type', 'application/json').end(body);
}

/** Signs an access token of type `at+jwt` with a key; the header may deviate. */
export async function signedBy(
  { kid, privateJwk }: KeyFixture,
  claims: object,
  deviation: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const alg = String(deviation['alg'] ?? privateJwk.alg);
  return new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ kid, typ: 'at+jwt', ...deviation, alg })
    .sign(await importJWK(privateJwk, alg));
}
