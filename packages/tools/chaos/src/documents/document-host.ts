import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { type HostFault, respondWith } from './host-faults.js';

/** A request for a document, with times on the monotonic clock of this process. */
export interface DocumentFetch {
  readonly url: string;
  readonly begunAtMs: number;
  /** When the document was sent completely; absent if it was not sent. */
  readonly servedAtMs?: number;
  /** When the connection ended; absent while it is open. */
  readonly endedAtMs?: number;
}

/** A website that hosts client ID metadata documents, and can fail. */
export interface DocumentHost {
  /** The host with its port. */
  readonly host: string;
  /** The URL of a document. Every path is one. */
  url(path: string): string;
  /** Every request so far. */
  readonly fetches: readonly DocumentFetch[];
  /** Open connections. */
  connections(): number;
  /** The most connections that were open at once. */
  readonly mostConnections: number;
  /** Responds in another way from now on, or with documents again. Connections that wait are left as they are. */
  set(fault: HostFault | undefined): Promise<void>;
  /** Leaves the next request for a document without a response. @returns a promise of that request */
  holdNext(url: string): Promise<void>;
  close(): Promise<void>;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Starts a website on a loopback port. */
export async function openDocumentHost(): Promise<DocumentHost> {
  const fetches: Mutable<DocumentFetch>[] = [];
  const sockets = new Set<Socket>();
  const held = new Map<string, () => void>();
  const seen = { mostConnections: 0 };
  let fault: HostFault | undefined;
  const server = createServer((request, response) => {
    const url = `http://${host}${request.url ?? '/'}`;
    const fetch: Mutable<DocumentFetch> = { url, begunAtMs: performance.now() };
    fetches.push(fetch);
    response.on('close', () => {
      fetch.endedAtMs = performance.now();
    });
    const isHeld = held.get(url);
    held.delete(url);
    if (isHeld !== undefined) return void isHeld();
    if (fault !== undefined) return void respondWith(fault, response, documentText(url));
    response.on('finish', () => {
      fetch.servedAtMs = performance.now();
    });
    serve(response, url);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    seen.mostConnections = Math.max(seen.mostConnections, sockets.size);
    socket.on('close', () => sockets.delete(socket));
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stop = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return Object.assign(seen, {
    host,
    url: (path: string) => `http://${host}${path}`,
    fetches,
    connections: () => sockets.size,
    set: async (wanted: HostFault | undefined) => {
      fault = wanted;
      if (fault === 'killed') await stop();
      else if (!server.listening) await listen(port);
    },
    holdNext: (url: string) =>
      new Promise<void>((resolve) => {
        held.set(url, resolve);
      }),
    close: stop,
  });
}

function serve(response: ServerResponse, url: string): void {
  response.writeHead(200, { 'content-type': MEDIA_TYPE.json }).end(documentText(url));
}

function documentText(url: string): string {
  return JSON.stringify({ client_id: url, client_name: 'An app', redirect_uris: [DOCUMENT_REDIRECT_URI] });
}

/** The redirect URI in every document. */
export const DOCUMENT_REDIRECT_URI = 'https://app.example/cb';
