import { Readable } from 'node:stream';
import { constantTimeEquals, sha256 } from '@vestibule/crypto';
import {
  type AddResource,
  closeSlowClient,
  type Reply,
  type Request,
  type Route,
  route,
} from '@vestibule/http';
import { DomainError, ThrottledError } from '@vestibule/protocol';
import { Type } from 'typebox';
import type { ConsoleSession, ConsoleSessions } from '../login/console-sessions.js';
import type { ActionOutcome, ActionRoute, ConsoleRoute, Download, PageRoute } from './console-route.js';
import { earlierFormPage, failurePage } from './failure-page.js';
import { FORM_TOKEN } from './forms.js';
import { type Frame, layout, type SentPage } from './layout.js';
import { includesRole, type Operator, type Role } from './operator.js';
import type { Visit } from './visit.js';

/** Dependencies of {@link addConsoleRoutes}. */
export interface ConsoleRoutesDeps {
  readonly sessions: ConsoleSessions;
  /** Origin of the console, as browsers see it. */
  readonly origin: string;
  /** Records a request for which the role of the operator does not suffice. */
  readonly recordRefusal: (refusal: RefusedAction) => Promise<void>;
  /**
   * Counts a page that a person opens.
   * @throws ThrottledError if there are too many
   */
  readonly admitPage: (operator: Operator) => Promise<void>;
  /**
   * Counts an action of a person.
   * @throws ThrottledError if there are too many
   */
  readonly admitAction: (operator: Operator) => Promise<void>;
}

/** A request for which the role of the operator did not suffice. */
export interface RefusedAction {
  readonly operator: Operator;
  readonly method: string;
  /** The path with its parameters unfilled, as `/clients/:id/approve`. */
  readonly path: string;
  readonly required: Role;
}

/** The query parameter that names the notice of a page. */
const NOTICE = 'done';

/** Adds pages and actions as resources. Nothing of them is served without a session. */
export function addConsoleRoutes(
  resource: AddResource,
  deps: ConsoleRoutesDeps,
  routes: readonly ConsoleRoute[],
): void {
  for (const path of new Set(routes.map((one) => one.path))) {
    const page = routes.find((one): one is PageRoute => one.path === path && one.method === 'GET');
    const action = routes.find((one): one is ActionRoute => one.path === path && one.method === 'POST');
    resource(path, {
      ...(page && { GET: pageRoute(deps, page) }),
      ...(action && { POST: actionRoute(deps, action) }),
    });
  }
}

function pageRoute(deps: ConsoleRoutesDeps, definition: PageRoute): Route {
  return route({
    schema: {
      querystring: Type.Object({ ...definition.query.properties, [NOTICE]: Type.Optional(Type.String()) }),
    },
    handler: async (request, reply) => {
      const found = await findSession(deps, request);
      if ('body' in found) return send(reply, found);
      const { session } = found;
      if (session === undefined)
        return reply
          .code(303)
          .header('location', `/login?${new URLSearchParams({ to: request.url })}`)
          .send();
      const query = withoutEmpty(request.query);
      const notice = definition.notices[String(query[NOTICE] ?? '')];
      const frame = frameOf(session, request, notice);
      return send(
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

function actionRoute(deps: ConsoleRoutesDeps, definition: ActionRoute): Route {
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
      if ('body' in found) return send(reply, found);
      const { session } = found;
      if (session === undefined) return send(reply, loggedOutPage(request, repeated));
      const frame = frameOf(session, request);
      const outcome = await shown({ frame, address: request.url, ...repeated }, async () => {
        await requireRole(deps, session, definition);
        if (repeated.form !== undefined && formTokenOf(session, form) === 'other')
          return layout(frame, earlierFormPage(request.url, { ...form, [FORM_TOKEN]: session.formToken }));
        requireOwnForm(deps, session, { request, form });
        await deps.admitAction(session.operator);
        return taken(frame, await definition.respond(visitOf(deps, session, { definition, request }), form));
      });
      return send(reply, outcome);
    },
  });
}

/** A response: a page, a file, or the address of the next page. */
type Response = SentPage | Download | { readonly location: string };

function taken(frame: Frame, outcome: ActionOutcome): Response {
  if ('pieces' in outcome) return outcome;
  if (!('goTo' in outcome)) return layout(frame, outcome);
  const { goTo, notice } = outcome;
  if (notice === undefined) return { location: goTo };
  return { location: `${goTo}${goTo.includes('?') ? '&' : '?'}${new URLSearchParams({ [NOTICE]: notice })}` };
}

/** Finds the session of a request, or the page to show while that is not possible. */
function findSession(
  { sessions }: Pick<ConsoleRoutesDeps, 'sessions'>,
  request: Request,
  repeated: Pick<ShownRequest, 'form'> = {},
): Promise<{ readonly session: ConsoleSession | undefined } | SentPage> {
  const shownRequest = { frame: addressOf(request), address: request.url, ...repeated };
  return shown(shownRequest, async () => ({ session: await sessions.find(request) }));
}

/** A request whose failure is shown. */
interface ShownRequest {
  readonly frame: Frame;
  /** Path and query. */
  readonly address: string;
  /** What the page of a failure may repeat. */
  readonly form?: Readonly<Record<string, unknown>>;
}

/** Shows failures that have a reason, and unreachable stores, as pages. */
async function shown<Result>(
  { frame, address, form }: ShownRequest,
  respond: () => Promise<Result>,
): Promise<Result | SentPage> {
  try {
    return await respond();
  } catch (error) {
    const page = failurePage(error, { address, form });
    if (page === undefined) throw error;
    const sent = layout(frame, page);
    if (!(error instanceof ThrottledError)) return sent;
    return { ...sent, headers: { ...sent.headers, 'retry-after': String(error.retryAfterSeconds) } };
  }
}

function loggedOutPage(request: Request, repeated: Pick<ShownRequest, 'form'>): SentPage {
  const failed = { address: request.url, ...repeated };
  return layout(addressOf(request), failurePage(new DomainError('invalid_token', ''), failed) ?? never());
}

function never(): never {
  throw new TypeError('a failure has no page');
}

/** Whether the browser says that a page of the console sent a form. */
function isFromConsole({ origin }: Pick<ConsoleRoutesDeps, 'origin'>, { headers }: Request): boolean {
  return headers.origin === origin && headers['sec-fetch-site'] === 'same-origin';
}

/** Whether a form has the form token of this session or of another one; absent if it has none. */
function formTokenOf(
  { formToken }: Pick<ConsoleSession, 'formToken'>,
  form: Readonly<Record<string, unknown>>,
): 'own' | 'other' | undefined {
  const given = form[FORM_TOKEN];
  if (typeof given !== 'string') return undefined;
  return constantTimeEquals(sha256(given), sha256(formToken)) ? 'own' : 'other';
}

/**
 * Checks that a form comes from a page of this session (RFC 9700 section 4.7 has the same for clients): its token, and
 * what browsers say about its origin.
 * @throws DomainError `access_denied`
 */
export function requireOwnForm(
  { origin }: Pick<ConsoleRoutesDeps, 'origin'>,
  session: Pick<ConsoleSession, 'formToken'>,
  { request, form }: { readonly request: Request; readonly form: Readonly<Record<string, unknown>> },
): void {
  const { origin: from = origin, 'sec-fetch-site': site = 'same-origin' } = request.headers;
  if (formTokenOf(session, form) !== 'own' || from !== origin || site !== 'same-origin')
    throw new DomainError('access_denied', 'The form is not one of this session: open its page again.');
}

/** A page or an action, and the role that it requires. */
type RequiredRole = Pick<ConsoleRoute, 'method' | 'path' | 'role'>;

async function requireRole(
  { recordRefusal }: ConsoleRoutesDeps,
  { operator }: ConsoleSession,
  { method, path, role: required }: RequiredRole,
): Promise<void> {
  if (includesRole(operator.role, required)) return;
  await recordRefusal({ operator, method, path, required });
  throw new DomainError('access_denied', `This requires the role ${required}.`);
}

function visitOf(
  deps: ConsoleRoutesDeps,
  session: ConsoleSession,
  { definition, request }: { readonly definition: RequiredRole; readonly request: Request },
): Visit {
  const { operator, formToken } = session;
  const params = request.params as Readonly<Record<string, string>>;
  return {
    operator,
    formToken,
    request,
    address: request.url,
    param: (name) => params[name] ?? '',
    requireRole: (role) => requireRole(deps, session, { ...definition, role }),
  };
}

function frameOf({ operator, formToken }: ConsoleSession, request: Request, notice?: string): Frame {
  return { operator, formToken, notice, ...addressOf(request) };
}

function addressOf(request: Request): { readonly path: string } {
  return { path: request.url.split('?')[0] ?? '/' };
}

function send(reply: Reply, response: Response): Reply {
  if ('location' in response) return reply.code(303).header('location', response.location).send();
  if ('pieces' in response) return sendDownload(reply, response);
  return reply.code(response.status).headers(response.headers).send(response.body);
}

function sendDownload(reply: Reply, { fileName, mediaType, pieces }: Download): Reply {
  closeSlowClient(reply);
  return reply
    .header('content-type', mediaType)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .send(Readable.from(pieces));
}

/** Forms send empty fields too; they count as absent. */
function withoutEmpty(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}
