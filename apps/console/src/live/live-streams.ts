import { closeSlowClient, type Reply, type Request, refusePipelined } from '@vestibule/http';
import { DomainError, ThrottledError } from '@vestibule/protocol';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import type { Scheduler } from '@vestibule/protocol/runtime';
import type { Operator } from '../frame/operator.js';
import type { ConsoleSessions } from '../login/console-sessions.js';

/** Dependencies of {@link liveStreams}. */
export interface LiveStreamsDeps {
  readonly sessions: ConsoleSessions;
  /**
   * Counts a stream that a person opens.
   * @throws ThrottledError if there are too many
   */
  readonly admit: (operator: Operator) => Promise<void>;
  /** Reads the figures: once for all readers, and only while there are any. */
  readonly read: () => Promise<Readonly<Record<string, string>>>;
  readonly scheduler: Pick<Scheduler, 'after'>;
  /** Called when figures cannot be read, or a session cannot be checked. */
  readonly onProblem: (error: unknown) => void;
  /** Maximum number of open streams. Default 100. */
  readonly maxStreams?: number;
  /** Maximum number of open streams of one person. Default 10. */
  readonly maxStreamsOfPerson?: number;
  /** Interval of figures and of session checks, in milliseconds. Default 10,000. */
  readonly intervalMs?: number;
}

/** The streams of live figures of this process, as server-sent events. */
export interface LiveStreams {
  /**
   * Responds with the stream. It ends when the session ends, and when the reader does not take what is sent.
   * @throws DomainError `invalid_token` without a session
   * @throws ThrottledError if there are too many streams, or too many of this person
   */
  open(request: Request, reply: Reply): Promise<void>;
  /** Number of open streams. */
  count(): number;
  /** Ends all streams, and refuses further ones. */
  end(): void;
}

const MAX_STREAMS = 100;
/** A person may have some tabs, and must not take the streams of the others. */
const MAX_STREAMS_OF_PERSON = 10;
const INTERVAL_MS = 10_000;
/** What a refused reader waits before it tries again, in seconds. */
const BUSY_SECONDS = 30;
/** Time after which browsers connect again, in milliseconds. */
const RECONNECT_MS = 5_000;
/** Bytes that may wait for a reader: some minutes of figures. */
const MAX_WAITING_BYTES = 65_536;
/** A comment, which browsers ignore: it shows them and proxies that the stream is open. */
const HEARTBEAT = ':\n\n';

interface Reader {
  readonly request: Request;
  readonly subject: string;
  readonly send: (text: string) => void;
  readonly end: () => void;
}

/** Serves streams of live figures. */
export function liveStreams(deps: LiveStreamsDeps): LiveStreams {
  const { sessions, admit, read, scheduler, onProblem, intervalMs = INTERVAL_MS } = deps;
  const { maxStreams = MAX_STREAMS, maxStreamsOfPerson = MAX_STREAMS_OF_PERSON } = deps;
  const readers = new Set<Reader>();
  let hasEnded = false;
  let cancelPoll: (() => void) | undefined;

  const figures = async (): Promise<string> => {
    try {
      return `data: ${JSON.stringify(await read())}\n\n`;
    } catch (error) {
      onProblem(error);
      return HEARTBEAT;
    }
  };
  /** While its session cannot be checked, a stream stays open but sends no figures. */
  const serve = async (reader: Reader, text: string) => {
    try {
      if ((await sessions.find(reader.request)) !== undefined) return reader.send(text);
      readers.delete(reader);
      reader.end();
    } catch (error) {
      onProblem(error);
      reader.send(HEARTBEAT);
    }
  };
  const poll = async () => {
    const text = await figures();
    await Promise.all([...readers].map((reader) => serve(reader, text)));
  };
  const pollWhileRead = () => {
    cancelPoll =
      readers.size === 0 || hasEnded
        ? undefined
        : scheduler.after(intervalMs, () => void poll().then(pollWhileRead));
  };
  return {
    open: async (request, reply) => {
      const session = await sessions.find(request);
      if (session === undefined) throw new DomainError('invalid_token', 'Log in first.');
      const { operator } = session;
      await admit(operator);
      const ofPerson = [...readers].filter(({ subject }) => subject === operator.subject);
      if (hasEnded || readers.size >= maxStreams || ofPerson.length >= maxStreamsOfPerson)
        throw new ThrottledError(BUSY_SECONDS, 'too many streams of live figures');
      // The browser may have left while its session was looked up; then there is no event to remove the reader.
      if (reply.raw.destroyed) {
        reply.hijack();
        return;
      }
      const reader = opened(request, reply, operator);
      readers.add(reader);
      reply.raw.once('close', () => readers.delete(reader));
      if (cancelPoll === undefined) pollWhileRead();
      reader.send(await figures());
    },
    count: () => readers.size,
    end: () => {
      hasEnded = true;
      cancelPoll?.();
      for (const { end } of readers) end();
    },
  };
}

function opened(request: Request, reply: Reply, { subject }: Operator): Reader {
  const { raw } = reply;
  refusePipelined(reply);
  reply
    .header('content-type', MEDIA_TYPE.eventStream)
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200);
  raw.write(`retry: ${RECONNECT_MS}\n\n`);
  closeSlowClient(reply);
  return {
    request,
    subject,
    send: (text) => {
      if (raw.writableLength > MAX_WAITING_BYTES) raw.destroy();
      else if (!raw.writableEnded) raw.write(text);
    },
    end: () => {
      raw.end();
    },
  };
}
