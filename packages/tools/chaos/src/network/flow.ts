import type { Socket } from 'node:net';
import { shuffledChunks } from './shuffled-chunks.js';
import { PASS, type Side, type Traffic, trafficFrom } from './traffic.js';

/** One direction of a connection. */
export interface Flow {
  /** Applies a rule from now on, also to waiting data. */
  set(traffic: Traffic): void;
  /** Whether data was dropped, so that the connection is unusable. */
  hasLost(): boolean;
  stop(): void;
}

interface Waiting {
  readonly chunk: Buffer;
  readonly dueAtMs: number;
}

const DRIPS_PER_SECOND = 50;

/** Forwards data from one side to the other, in order and with an unbounded buffer: the amounts are small. */
export function openFlow(side: Side, from: Socket, to: Socket): Flow {
  let traffic: Traffic = PASS;
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  let [lost, sent] = [false, 0];

  const write = (chunk: Buffer) => {
    sent += chunk.length;
    if (traffic.kind === 'cut' && sent > traffic.afterBytes) from.resetAndDestroy();
    else to.write(chunk);
  };
  const flush = () => {
    const ready = waiting;
    waiting = [];
    for (const { chunk } of ready) write(chunk);
  };
  const release = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0 || traffic.kind === 'hold') return;
    if (traffic.kind === 'delay') releaseDue();
    else if (traffic.kind === 'drip') releaseDrop(traffic.bytesPerSecond / DRIPS_PER_SECOND);
    else if (traffic.kind === 'buffer') releaseBlock(traffic.bytes);
    else if (traffic.kind === 'shuffle') shuffleAfter(traffic.everyMs, traffic.inOrder);
    else flush();
  };
  const releaseDue = () => {
    const nowMs = performance.now();
    while (waiting[0] !== undefined && waiting[0].dueAtMs <= nowMs) {
      write(waiting[0].chunk);
      waiting.shift();
    }
    const [next] = waiting;
    if (next !== undefined) timer = setTimeout(release, next.dueAtMs - nowMs);
  };
  const releaseDrop = (bytes: number) => {
    const all = Buffer.concat(waiting.map(({ chunk }) => chunk));
    const size = Math.max(1, Math.floor(bytes));
    write(all.subarray(0, size));
    waiting = all.length > size ? [{ chunk: all.subarray(size), dueAtMs: 0 }] : [];
    timer = setTimeout(release, 1_000 / DRIPS_PER_SECOND);
  };
  const releaseBlock = (bytes: number) => {
    const size = waiting.reduce((sum, { chunk }) => sum + chunk.length, 0);
    if (size >= bytes) flush();
  };
  const shuffleAfter = (ms: number, inOrder: readonly string[]) => {
    timer = setTimeout(() => {
      const { shuffled, rest } = shuffledChunks(Buffer.concat(waiting.map(({ chunk }) => chunk)), inOrder);
      write(shuffled);
      waiting = rest.length > 0 ? [{ chunk: rest, dueAtMs: 0 }] : [];
      timer = undefined;
    }, ms);
  };
  const dueAtMs = () => {
    const delayMs = traffic.kind === 'delay' ? traffic.ms + Math.random() * (traffic.jitterMs ?? 0) : 0;
    // Keeps the order of the data.
    return Math.max(performance.now() + delayMs, waiting.at(-1)?.dueAtMs ?? 0);
  };

  from.on('data', (chunk: Buffer) => {
    if (traffic.kind === 'drop') {
      lost = true;
      return;
    }
    if (traffic.kind === 'pass' && waiting.length === 0) return write(chunk);
    waiting.push({ chunk, dueAtMs: dueAtMs() });
    if (timer === undefined) release();
  });
  // Data sent before the end still arrives where possible.
  from.on('end', () => {
    if (traffic.kind === 'buffer') flush();
    if (waiting.length === 0) to.end();
  });
  return {
    set: (wanted) => {
      const own = trafficFrom(side, wanted);
      if (own === traffic) return;
      traffic = own;
      release();
    },
    hasLost: () => lost,
    stop: () => clearTimeout(timer),
  };
}
