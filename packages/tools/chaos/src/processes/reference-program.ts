import { serveApi } from './serve-api.js';

/** What the client that the guide on the stream of changes shows exports. */
interface TokenChecker {
  /** Rejects when nothing is known about the token. */
  check(token: string): Promise<{ readonly active: boolean }>;
  close(): Promise<void>;
}

/** An API that checks access tokens with that client; configured by its environment. */
const { GATEWAY: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, PORT } = process.env;

const CLIENT = new URL('../../../../guides/examples/stream-client.mjs', import.meta.url);
const { createTokenChecker } = await import(CLIENT.href);
const checker: TokenChecker = createTokenChecker({ issuer, clientId, clientSecret });

async function statusFor(authorization = ''): Promise<number> {
  const token = /^Bearer (.+)$/.exec(authorization)?.[1];
  if (token === undefined) return 401;
  try {
    return (await checker.check(token)).active ? 200 : 401;
  } catch {
    return 503;
  }
}

serveApi(
  Number(PORT),
  async (request, response) => {
    response.writeHead(await statusFor(request.headers.authorization)).end();
  },
  () => void checker.close(),
);
