import { type AddResource, route } from '@vestibule/http';
import type { LiveStreams } from './live-streams.js';

/** The path of the stream of live figures. */
export const LIVE_PATH = '/live';

/** Adds the stream of live figures, for people who are logged in. */
export function addLiveStream(resource: AddResource, streams: LiveStreams): void {
  resource(LIVE_PATH, {
    GET: route({
      handler: async (request, reply) => {
        await streams.open(request, reply);
        return reply;
      },
    }),
  });
}
