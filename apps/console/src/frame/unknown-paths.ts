import { type AddResource, type Reply, type Request, route } from '@vestibule/http';
import { DomainError } from '@vestibule/protocol';
import type { ConsoleSession } from '../login/console-sessions.js';
import type { ConsoleRoutesDeps } from './console-routes-deps.js';
import { databaseUnavailability, shown } from './failure-page.js';
import { frameOf } from './request-context.js';
import { sendResponse } from './send-response.js';

type UnknownPathsDeps = Pick<ConsoleRoutesDeps, 'sessions' | 'admitPage'>;

/**
 * Adds the response to paths without a page or an action, with any method: 404, before a body is read. It is a page for a
 * person who is logged in, and otherwise empty, so that nothing but the login is served before a login.
 */
export function addUnknownPaths(resource: AddResource, deps: UnknownPathsDeps): void {
  resource('/*', {
    ANY: route({
      onRequest: (request, reply, done) => {
        respond(deps, request, reply).catch(done);
      },
      handler: (_request, reply) => reply.send(),
    }),
  });
}

async function respond(deps: UnknownPathsDeps, request: Request, reply: Reply): Promise<void> {
  const session = await liveSession(deps, request);
  if (session === undefined) {
    reply.code(404).send();
    return;
  }
  const page = await shown({ frame: frameOf(session, request), address: request.url }, async () => {
    await deps.admitPage(session.operator);
    throw new DomainError('not_found', 'No page of the console has this address.');
  });
  sendResponse(reply, page);
}

/** While the database is unavailable, a session counts as none here: the path does not exist in either case. */
async function liveSession(
  { sessions }: UnknownPathsDeps,
  request: Request,
): Promise<ConsoleSession | undefined> {
  try {
    return await sessions.find(request);
  } catch (error) {
    if (databaseUnavailability(error) === undefined) throw error;
    return undefined;
  }
}
