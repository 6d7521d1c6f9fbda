import { type Request, type Route, route } from '@vestibule/http';
import { DomainError } from '@vestibule/protocol';
import { Type } from 'typebox';
import type { ActionRoute } from './console-route.js';
import type { ConsoleRoutesDeps } from './console-routes-deps.js';
import { earlierFormPage, failurePage, findSession, type ShownRequest, shown } from './failure-page.js';
import { FORM_TOKEN } from './forms.js';
import { layout, type SentPage } from './layout.js';
import { formTokenOf, isFromConsole, requireOwnForm } from './own-form.js';
import { addressOf, frameOf, visitOf } from './request-context.js';
import { requireRole } from './required-role.js';
import { responseTo, sendResponse } from './send-response.js';

/**
 * Creates the route of an action. It is carried out only with a session whose role suffices, and for a form of that
 * session; a form of an earlier session is offered again.
 */
export function actionRoute(deps: ConsoleRoutesDeps, definition: ActionRoute): Route {
  return route({
    schema: {
      body: Type.Object({ ...definition.form.properties, [FORM_TOKEN]: Type.Optional(Type.String()) }),
    },
    handler: async (request, reply) => {
      const form: Readonly<Record<string, unknown>> = request.body;
      // A form of another site is never offered again: it would then be sent as one of ours.
      const repeated: Pick<ShownRequest, 'form'> =
        !definition.hasSecret && isFromConsole(deps, request) ? { form } : {};
      const found = await findSession(deps, request, repeated);
      if ('body' in found) return sendResponse(reply, found);
      const { session } = found;
      if (session === undefined) return sendResponse(reply, loggedOutPage(request, repeated));
      const frame = frameOf(session, request);
      const outcome = await shown({ frame, address: request.url, ...repeated }, async () => {
        await requireRole(deps, session, definition);
        if (repeated.form !== undefined && formTokenOf(session, form) === 'other')
          return layout(frame, earlierFormPage(request.url, { ...form, [FORM_TOKEN]: session.formToken }));
        requireOwnForm(deps, session, { request, form });
        await deps.admitAction(session.operator);
        const visit = visitOf(deps, session, { definition, request });
        return responseTo(frame, await definition.respond(visit, form));
      });
      return sendResponse(reply, outcome);
    },
  });
}

function loggedOutPage(request: Request, repeated: Pick<ShownRequest, 'form'>): SentPage {
  const failed = { address: request.url, ...repeated };
  return layout(addressOf(request), failurePage(new DomainError('invalid_token', ''), failed) ?? never());
}

function never(): never {
  throw new TypeError('a failure has no page');
}
