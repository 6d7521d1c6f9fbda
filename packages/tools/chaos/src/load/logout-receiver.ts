import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeUnverifiedJwt } from '@vestibule/crypto/jwt';

/** A received logout token. */
export interface ReceivedLogout {
  readonly sid: string;
  readonly jti: string;
}

/** A client that is notified of logouts. */
export interface LogoutReceiver {
  readonly port: number;
  readonly received: readonly ReceivedLogout[];
  /** Calls back when the next token has arrived and got no response yet. */
  onNext(call: () => void): void;
  close(): Promise<void>;
}

const MAX_TOKEN_LENGTH = 8_192;

/** Starts a receiver that accepts every token after a delay. */
export async function logoutReceiver(responseAfterMs: number): Promise<LogoutReceiver> {
  const received: ReceivedLogout[] = [];
  let next: (() => void) | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      const { claims } = decodeUnverifiedJwt(form.get('logout_token') ?? '', MAX_TOKEN_LENGTH);
      received.push({ sid: String(claims['sid']), jti: String(claims['jti']) });
      next?.();
      next = undefined;
      setTimeout(() => response.end(), responseAfterMs);
    });
    request.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    received,
    onNext: (call) => {
      next = call;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
