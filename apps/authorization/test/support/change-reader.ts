import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server } from '@vestibule/http';
import { onTestFinished } from 'vitest';
import { MASTER } from './build-test-app.js';

/** Opens a port of a server. */
export async function listening(app: Server): Promise<string> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** An event of the stream. */
export interface SeenEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data?: Record<string, unknown>;
}

/** Connects to the stream as a program would, until the test ends. */
export async function changesFrom(
  app: Server,
  { headers = {}, query = '' }: { headers?: Record<string, string>; query?: string } = {},
) {
  const url = `${await listening(app)}/direct-authz/changes${query}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${MASTER}`, ...headers }, agent: false }, resolve).on(
      'error',
      reject,
    );
  });
  onTestFinished(() => void response.destroy());
  response.on('error', () => undefined);
  const blocks = blocksOf(response);
  const block = async () => (await blocks.next()).value ?? undefined;
  return {
    response,
    /** The next event, comment or setting as it was sent; `undefined` at the end. */
    block,
    /** The next event. */
    next: async (): Promise<SeenEvent> => {
      for (;;) {
        const text = await block();
        if (text === undefined) throw new Error('the stream has ended');
        if (text.startsWith('id:')) return eventOf(text);
      }
    },
  };
}

async function* blocksOf(response: IncomingMessage): AsyncGenerator<string, void> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    const parts = `${text}${chunk}`.split('\n\n');
    text = parts.pop() ?? '';
    yield* parts;
  }
}

function eventOf(block: string): SeenEvent {
  const lines = block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]);
  const { id, event, data } = Object.fromEntries(lines);
  return { ...(id && { id }), ...(event && { event }), ...(data && { data: JSON.parse(data) }) };
}
