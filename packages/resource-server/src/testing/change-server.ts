import type { ServerResponse } from 'node:http';
import { expect } from 'vitest';
import {
  json,
  type ProgrammedServer,
  type Respond,
  type SeenRequest,
  startProgrammedServer,
} from './authorization-server.js';

/** An authorization server with a stream of changes that a test writes. */
export interface ChangeServer {
  readonly server: ProgrammedServer;
  /** Requests for the stream. */
  readonly streamRequests: () => readonly SeenRequest[];
  readonly introspections: () => number;
  /** Responds to introspection. */
  introspect: Respond;
  /** Responds to requests for the stream; default: the stream stays open. */
  openStream: Respond;
  /** Writes text to the latest stream. */
  write(text: string): void;
  /** Ends the latest stream. */
  end(): void;
  /** Waits until so many streams have been opened. */
  opened(count: number): Promise<void>;
}

/** The text of an event. */
export function event(name: string, id: string, data: object = {}): string {
  return `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Headers of an introspection response that may be cached. */
export function stamped(position: string, ...tags: readonly string[]): Readonly<Record<string, string>> {
  return {
    'Preference-Applied': 'cache-tags',
    'Stream-Position': position,
    'Cache-Tags': tags.map(tagOf).join(', '),
  };
}

/** A tag of 22 characters. */
export function tagOf(name: string): string {
  return name.padEnd(22, '_');
}

/** Starts a server for one test. */
export async function startChangeServer(introspect: Respond): Promise<ChangeServer> {
  const streams: ServerResponse[] = [];
  const isStream = ({ path }: SeenRequest) => path.startsWith('/token/changes');
  const server = await startProgrammedServer((request, response) => {
    if (isStream(request)) changes.openStream(request, response);
    else if (request.path === '/token/introspect') changes.introspect(request, response);
    else json({}, 404)(request, response);
  });
  const changes: ChangeServer = {
    server,
    streamRequests: () => server.requests.filter(isStream),
    introspections: () => server.requests.filter(({ path }) => path === '/token/introspect').length,
    introspect,
    openStream: (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      streams.push(response);
    },
    write: (text) => void streams.at(-1)?.write(text),
    end: () => void streams.at(-1)?.end(),
    opened: (count) => expect.poll(() => streams.length, { timeout: 60_000 }).toBe(count),
  };
  return changes;
}
