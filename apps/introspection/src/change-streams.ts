import type { Reply } from '@vestibule/http';
import { ThrottledError } from '@vestibule/protocol';
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
}

/** A reader of the stream that was authenticated. */
export interface StreamReader {
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
   * @throws ThrottledError if there are too many
   */
  open(reply: Reply, reader: StreamReader): void;
  /** Number of open streams. */
  count(): number;
  /** Number of streams that were ended because their reader did not take what was sent. */
  slowReaders(): number;
  /** Ends all streams, and refuses further ones. */
  end(): void;
}

const MAX_STREAMS = 5_000;
/** What a refused reader waits before it tries again, in seconds. */
const BUSY_SECONDS = 5;
/** Time after which readers connect again, in milliseconds. */
const RECONNECT_MS = 500;
/** A stream ends after this time at the latest, so that its reader authenticates again, in milliseconds. */
const LIFETIME_MS = 300_000;
/** Bytes that may wait for a reader. */
const MAX_WAITING_BYTES = 1_048_576;

/** Serves streams of changes. What is sent to all readers is built once. */
export function changeStreams(options: ChangeStreamsOptions): ChangeStreams {
  const { tagStream, states, scheduler, random, maxStreams = MAX_STREAMS } = options;
  const open = new Set<() => void>();
  let hasEnded = false;
  let slowReaders = 0;

  const refuseMore = () => {
    if (hasEnded || open.size >= maxStreams)
      throw new ThrottledError(BUSY_SECONDS, hasEnded ? 'the service stops' : 'too many streams of changes');
  };
  return {
    position: tagStream.position,
    tagsOf: (response) => responseTags({ tagStream, states }, response),
    open: (reply, { lastEventId, isValid }) => {
      refuseMore();
      const { raw } = reply;
      reply.header('content-type', MEDIA_TYPE.eventStream).header('x-accel-buffering', 'no').hijack();
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) raw.setHeader(name, value);
      raw.writeHead(200);
      raw.write(`retry: ${RECONNECT_MS}\n\n`);
      const end = () => void raw.end();
      const leave = tagStream.follow((events) => {
        if (!isValid()) end();
        else if (raw.writableLength > MAX_WAITING_BYTES) {
          slowReaders += 1;
          raw.destroy();
        } else if (events !== '' && !raw.writableEnded) raw.write(events);
      }, lastEventId);
      // Streams that began together do not end together.
      const cancel = scheduler.after(LIFETIME_MS * (0.5 + random() / 2), end);
      open.add(end);
      raw.once('close', () => {
        open.delete(end);
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
