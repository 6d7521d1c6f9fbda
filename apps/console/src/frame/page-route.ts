import { type Route, route } from '@vestibule/http';
import { Type } from 'typebox';
import type { PageRoute } from './console-route.js';
import type { ConsoleRoutesDeps } from './console-routes-deps.js';
import { findSession, shown } from './failure-page.js';
import { layout } from './layout.js';
import { frameOf, visitOf } from './request-context.js';
import { requireRole } from './required-role.js';
import { NOTICE, sendResponse } from './send-response.js';

/** Creates the route of a page. A request without a session goes to the login, and from there to the page. */
export function pageRoute(deps: ConsoleRoutesDeps, definition: PageRoute): Route {
  return route({
    schema: {
      querystring: Type.Object({ ...definition.query.properties, [NOTICE]: Type.Optional(Type.String()) }),
    },
    handler: async (request, reply) => {
      const found = await findSession(deps, request);
      if ('body' in found) return sendResponse(reply, found);
      const { session } = found;
      if (session === undefined)
        return reply
          .code(303)
          .header('location', `/login?${new URLSearchParams({ to: request.url })}`)
          .send();
      const query = withoutEmpty(request.query);
      const notice = definition.notices[String(query[NOTICE] ?? '')];
      const frame = frameOf(session, request, notice);
      return sendResponse(
        reply,
        await shown({ frame, address: request.url }, async () => {
          await deps.admitPage(session.operator);
          await requireRole(deps, session, definition);
          return layout(
            frame,
            await definition.respond(visitOf(deps, session, { definition, request }), query),
          );
        }),
      );
    },
  });
}

/** Forms send empty fields too; they count as absent. */
function withoutEmpty(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}
