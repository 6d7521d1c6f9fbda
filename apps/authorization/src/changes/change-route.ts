import { Readable } from 'node:stream';
import type { MasterToken } from '@vestibule/crypto';
import { closeSlowClient, type Route, refusePipelined, route } from '@vestibule/http';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { requireMasterToken } from '@vestibule/service';
import { Type } from 'typebox';
import { READ_CHANGES } from './change-description.js';
import type { ChangeStreams } from './change-streams.js';

/** Query parameters of the stream. */
const ChangesQuery = Type.Object({
  from: Type.Optional(
    Type.Enum(['start'], {
      description:
        'Start with the oldest event that is kept, instead of what happens from now on. Without effect with `Last-Event-ID`.',
    }),
  ),
});

/** Number of lists of changes that are held for a reader that does not take them at once. */
const LISTS_AHEAD = 2;

/** Dependencies of {@link readChanges}. */
export interface ChangeRouteDeps {
  readonly masterToken: MasterToken;
  readonly changes: ChangeStreams;
}

/** GET /direct-authz/changes (authorization/API.md#changes). */
export function readChanges({ masterToken, changes }: ChangeRouteDeps): Route {
  return route({
    description: READ_CHANGES,
    schema: { querystring: ChangesQuery },
    onRequest: requireMasterToken(masterToken),
    handler: async (request, reply) => {
      refusePipelined(reply);
      const { 'last-event-id': lastEventId } = request.headers;
      const closed = new AbortController();
      reply.raw.once('close', () => closed.abort());
      const start = {
        ...(typeof lastEventId === 'string' && lastEventId !== '' && { lastEventId }),
        isFromStart: request.query.from === 'start',
      };
      const texts = changes.open(start, closed.signal);
      closeSlowClient(reply);
      return reply
        .header('content-type', MEDIA_TYPE.eventStream)
        .header('x-accel-buffering', 'no')
        .send(Readable.from(texts, { highWaterMark: LISTS_AHEAD }));
    },
  });
}
