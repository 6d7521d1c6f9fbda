import { type Reply, refusePipelined } from '@vestibule/http';
import { type ClientId, ThrottledError } from '@vestibule/protocol';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import type { Scheduler } from '@vestibule/protocol/runtime';
import {
  type ResponseTags,
  type ResponseTagsDeps,
  responseTags,
  type TaggedResponse,
  type TagStream,
} from '@vestibule/tokens/tag-stream';

/** Options of {@link changeStreams}. */
export interface ChangeStreamsOptions extends ResponseTagsDeps {
  readonly tagStream: TagStream;
  readonly scheduler: Pick<Scheduler, 'after'>;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** Maximum number of open streams. Default 5,000. */
  readonly maxStreams?: number;
  /** Maximum number of open streams of one client. Default 1,000. */
  readonly maxStreamsPerClient?: number;
}

/** A reader of the stream that was authenticated. */
export interface StreamReader {
  readonly clientId: ClientId;
  readonly lastEventId: string | undefined;
  /** Whether its authentication is still valid. */
  readonly isValid: () => boolean;
}

/** The streams of changes that this process serves, and what responses tell their readers. */
export interface ChangeStreams extends Pick<TagStream, 'position'> {
  /** Returns how long the caller may keep a response; `undefined` if it must not. */
  tagsOf(response: TaggedResponse): ResponseTags | undefined;
  /**
   * Responds with the stream. It ends after some minutes, when the authentication is no longer valid, and when the reader does
   * not take what is sent.
   * @throws ThrottledError if there are too many, in all or of this client
   * @throws DomainError `invalid_request` if an earlier response on the connection is not complete
   */
  open(reply: Reply, reader: StreamReader): void;
  /** Number of open streams. */
  count(): number;
  /** Number of streams that were ended because the client read too slowly. */
  slowReaders(): number;
  /** Ends all streams, and refuses further ones. */
  end(): void;
}

const MAX_STREAMS = 5_000;
/** One client must not take the streams of all others. */
const MAX_STREAMS_PER_CLIENT = 1_000;
/** What a refused reader waits before it tries again, in seconds. */
const BUSY_SECONDS = 5;
/** Time after which readers connect again, in milliseconds. */
const RECONNECT_MS = 500;
/** A stream ends after this time at the latest, so that its reader authenticates again, in milliseconds. */
const LIFETIME_MS = 300_000;
/** Time in which a reader takes what waits for it when its stream ends, in milliseconds. */
const END_MS = 10_000;
/** Bytes that may wait for a reader. */
const MAX_WAITING_BYTES = 1_048_576;

/** Serves streams of changes. What is sent to all readers is built once. */
export function changeStreams(options: ChangeStreamsOptions): ChangeStreams {
  const { tagStream, states, scheduler, random } = options;
  const { maxStreams = MAX_STREAMS, maxStreamsPerClient = MAX_STREAMS_PER_CLIENT } = options;
  const open = new Set<() => void>();
  const openOfClient = new Map<ClientId, number>();
  let hasEnded = false;
  let slowReaders = 0;

  const refuseMore = (clientId: ClientId) => {
    if (hasEnded || open.size >= maxStreams)
      throw new ThrottledError(BUSY_SECONDS, hasEnded ? 'the service stops' : 'too many streams of changes');
    if ((openOfClient.get(clientId) ?? 0) >= maxStreamsPerClient)
      throw new ThrottledError(BUSY_SECONDS, 'too many streams of changes of this client');
  };
  const countOpen = (clientId: ClientId, difference: 1 | -1) => {
    const count = (openOfClient.get(clientId) ?? 0) + difference;
    if (count === 0) openOfClient.delete(clientId);
    else openOfClient.set(clientId, count);
  };
  return {
    position: tagStream.position,
    tagsOf: (response) => responseTags({ tagStream, states }, response),
    open: (reply, { clientId, lastEventId, isValid }) => {
      refuseMore(clientId);
      const { raw } = reply;
      refusePipelined(reply);
      reply.header('content-type', MEDIA_TYPE.eventStream).header('x-accel-buffering', 'no').hijack();
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) raw.setHeader(name, value);
      raw.writeHead(200);
      raw.write(`retry: ${RECONNECT_MS}\n\n`);
      const end = () => {
        if (raw.writableEnded) return;
        cancel();
        raw.end();
        cancel = scheduler.after(END_MS, () => void raw.destroy());
      };
      // Streams that began together do not end together.
      let cancel = scheduler.after(LIFETIME_MS * (0.5 + random() / 2), end);
      const leave = tagStream.follow((events) => {
        if (!isValid()) end();
        else if (raw.writableLength > MAX_WAITING_BYTES) {
          slowReaders += 1;
          raw.destroy();
        } else if (!raw.writableEnded) raw.write(events);
      }, lastEventId);
      open.add(end);
      countOpen(clientId, 1);
      raw.once('close', () => {
        open.delete(end);
        countOpen(clientId, -1);
        cancel();
        leave();
      });
    },
    count: () => open.size,
    slowReaders: () => slowReaders,
    end: () => {
      hasEnded = true;
      for (const end of open) end();
    },
  };
}
