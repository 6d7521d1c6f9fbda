import { type AddResource, route } from '@vestibule/http';
import { withFailurePages } from '../login/login-pages.js';
import type { LiveStreams } from './live-streams.js';

/** The path of the stream of live figures. */
export const LIVE_PATH = '/live';

/** Adds the stream of live figures, for people who are logged in. While sessions cannot be checked, the status is 503. */
export function addLiveStream(resource: AddResource, streams: LiveStreams): void {
  resource(LIVE_PATH, {
    GET: route({
      handler: (request, reply) =>
        withFailurePages(reply, { address: '/' }, async () => {
          await streams.open(request, reply);
          return reply;
        }),
    }),
  });
}
