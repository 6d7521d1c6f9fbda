import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** A request to forward. */
export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The delay before the second half of the body, default none. */
  readonly slowMs?: number;
}

/** The forwarded response. */
export interface PassedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An instance behind a gateway. */
export interface Upstream {
  readonly port: number;
  isReady(): Promise<boolean>;
}

/** A gateway in front of several instances of a service. */
export interface Gateway {
  /** Forwards a request to the next ready instance, once. Rejects when there is no response. */
  send(exchange: Exchange): Promise<PassedResponse>;
  /** The number of ready instances. */
  taking(): number;
  close(): Promise<void>;
}

/** The interval of the readiness check. */
export const CHECK_INTERVAL_MS = 100;
/** Longer than any response may take. */
const TIMEOUT_MS = 12_000;

interface Member extends Upstream {
  readonly agent: Agent;
  takesPart: boolean;
}

/**
 * Forwards requests like a typical proxy: over persistent connections, in turn, to the instances that were ready at the
 * last check. It never retries, even when a request reached no instance.
 */
export async function openGateway(upstreams: readonly Upstream[]): Promise<Gateway> {
  const members = upstreams.map(
    (upstream): Member => ({
      ...upstream,
      agent: new Agent({ keepAlive: true, maxSockets: 64 }),
      takesPart: false,
    }),
  );
  const closing = new AbortController();
  const checkAll = () =>
    Promise.all(
      members.map(async (member) => {
        member.takesPart = await member.isReady();
      }),
    );
  await checkAll();
  const watching = watch(checkAll, closing.signal);
  let turn = 0;
  return {
    send: async (exchange) => {
      const ready = members.filter((member) => member.takesPart);
      turn += 1;
      const member = ready[turn % ready.length];
      if (member === undefined) throw new Error('no instance is ready');
      return pass(member, exchange);
    },
    taking: () => members.filter(({ takesPart }) => takesPart).length,
    close: async () => {
      closing.abort();
      await watching;
      for (const { agent } of members) agent.destroy();
    },
  };
}

async function watch(checkAll: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await checkAll();
    await pause(CHECK_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
}

function pass({ port, agent }: Member, exchange: Exchange): Promise<PassedResponse> {
  const { method, path, headers = {}, body = '', slowMs = 0 } = exchange;
  return new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) };
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path,
        headers: { ...headers, ...(body !== '' && length) },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        });
      },
    );
    outgoing.setTimeout(TIMEOUT_MS, () => outgoing.destroy(new Error('no response')));
    outgoing.on('error', reject);
    if (slowMs === 0) {
      outgoing.end(body);
      return;
    }
    const half = Math.floor(body.length / 2);
    outgoing.write(body.slice(0, half));
    setTimeout(() => outgoing.end(body.slice(half)), slowMs);
  });
}
