import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server } from '@vestibule/http';
import { onTestFinished } from 'vitest';
import { basic } from './introspection-call.js';
import { SECRET } from './test-service.js';

/** An event of the stream of changes. */
export interface SeenEvent {
  readonly event: string;
  readonly id?: string;
  readonly data: {
    readonly time: number;
    readonly tags?: readonly string[];
    readonly at?: string;
    readonly reason?: string;
  };
}

/** Requests the stream of changes as a program would, until the test ends. */
export async function changesResponse(
  app: Server,
  headers: Readonly<Record<string, string>> = { authorization: basic('rs1', SECRET) },
  query = '',
): Promise<IncomingMessage> {
  return responseAt(await portOf(app), headers, query);
}

async function portOf(app: Server): Promise<number> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

async function responseAt(
  port: number,
  headers: Readonly<Record<string, string>>,
  query = '',
): Promise<IncomingMessage> {
  const url = `http://127.0.0.1:${port}/token/changes${query}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).on('error', reject);
  });
  onTestFinished(() => void response.destroy());
  response.on('error', () => undefined);
  return response;
}

/** Follows the stream of changes. */
export async function changesFrom(app: Server, headers: Readonly<Record<string, string>> = {}) {
  return changesAt(await portOf(app), headers);
}

/** Follows the stream of changes at a port of this machine. */
export async function changesAt(port: number, headers: Readonly<Record<string, string>> = {}) {
  const response = await responseAt(port, { authorization: basic('rs1', SECRET), ...headers });
  const events = eventsOf(response);
  const next = async (...kinds: readonly string[]): Promise<SeenEvent> => {
    for (;;) {
      const { value } = await events.next();
      if (value === undefined) throw new Error('the stream has ended');
      if (kinds.length === 0 || kinds.includes(value.event)) return value;
    }
  };
  return { response, next };
}

async function* eventsOf(response: IncomingMessage): AsyncGenerator<SeenEvent, undefined> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    const blocks = `${text}${chunk}`.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) if (block.startsWith('event:')) yield eventOf(block);
  }
}

function eventOf(block: string): SeenEvent {
  const lines = block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]);
  const { event = '', id, data = '' } = Object.fromEntries(lines);
  return { event, ...(id && { id }), data: JSON.parse(data) };
}
