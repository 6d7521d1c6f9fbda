import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Server } from '@vestibule/http';
import { createRemoteJWKSet, type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose';
import { onTestFinished } from 'vitest';
import { ISSUER } from './build-test-app.js';
import { listening } from './change-reader.js';

/** A Security Event Token as the receiver verified it. */
export interface ReceivedEvent {
  readonly jti: string;
  readonly claims: JWTPayload;
  readonly header: JWTHeaderParameters;
  /** The event types of the token. */
  readonly types: readonly string[];
  /** The change. */
  readonly event: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage['headers'];
}

/** How a receiver responds to a verified event: with a status, or in another way. */
export type Respond = (event: ReceivedEvent) => number | ((response: ServerResponse) => unknown);

/** Options of {@link aReceiver}. */
export interface ReceiverOptions {
  readonly respond?: Respond;
  /** With it the receiver uses TLS, for this host name. */
  readonly certificate?: { readonly key: string; readonly cert: string; readonly host: string };
}

/**
 * A server of a team that receives events until the test ends (RFC 8935 section 2): it verifies each one with the keys
 * that the app publishes, and responds 202 by default. What it cannot verify gets 400.
 */
export async function aReceiver(app: Server, { respond = () => 202, certificate }: ReceiverOptions = {}) {
  const keys = createRemoteJWKSet(new URL(`${await listening(app)}/jwks.json`), { cooldownDuration: 0 });
  const receiver = { received: [] as ReceivedEvent[], respond, url: '', problems: [] as unknown[] };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const expected = { issuer: ISSUER, audience: receiver.url, typ: 'secevent+jwt' };
    const { payload, protectedHeader } = await jwtVerify(await text(request), keys, expected);
    const events = payload['events'] as Readonly<Record<string, ReceivedEvent['event']>>;
    const seen: ReceivedEvent = {
      jti: payload.jti ?? '',
      claims: payload,
      header: protectedHeader,
      types: Object.keys(events),
      event: Object.values(events)[0] ?? {},
      headers: request.headers,
    };
    receiver.received.push(seen);
    const outcome = receiver.respond(seen);
    if (typeof outcome === 'function') outcome(response);
    else response.writeHead(outcome).end();
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch((error: unknown) => {
      receiver.problems.push(error);
      response.writeHead(400).end();
    });
  };
  const server =
    certificate === undefined ? createHttpServer(listener) : createHttpsServer(certificate, listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const origin = certificate === undefined ? 'http://127.0.0.1' : `https://${certificate.host}`;
  receiver.url = `${origin}:${port}/changes`;
  return receiver;
}
