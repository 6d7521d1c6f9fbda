import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that receives logout tokens, and never serves documents. */
export interface NotifiedServer {
  readonly host: string;
  /** Where logout tokens are accepted. */
  readonly address: string;
  /** Where no request ever gets a response. */
  readonly silentAddress: string;
  readonly tokens: readonly string[];
  /** Every received header name and value, in lower case. */
  readonly headers: readonly string[];
  close(): Promise<void>;
}

/** Starts the server. */
export async function notifiedServer(): Promise<NotifiedServer> {
  const [tokens, headers]: [string[], string[]] = [[], []];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    headers.push(...request.rawHeaders.map((header) => header.toLowerCase()));
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      tokens.push(new URLSearchParams(Buffer.concat(chunks).toString()).get('logout_token') ?? '');
      if (!request.url?.startsWith('/silent')) response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const address = `http://127.0.0.1:${port}`;
  return {
    host: `127.0.0.1:${port}`,
    address: `${address}/logout`,
    silentAddress: `${address}/silent`,
    tokens,
    headers,
    close,
  };
}
