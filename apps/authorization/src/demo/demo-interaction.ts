import { defineRouteGroup, languagesOf, type Reply, type Request, type Route, route } from '@vestibule/http';
import { formBody } from '@vestibule/http/bodies';
import { pageHeaders, type RenderedPage } from '@vestibule/http/pages';
import { INTERACTION_PATH, type Interaction } from '../interaction/interaction.js';
import type {
  InteractionExchange,
  InteractionHost,
  PendingInteraction,
} from '../interaction/interaction-host.js';
import { consentPage } from '../pages/consent-page.js';
import { expiredPage, localeOf, PAGE_ERRORS, type PageLocale } from '../pages/page.js';
import { demoNote, loginPage } from './demo-pages.js';
import { type DemoUsers, demoAccounts, hasPassword } from './demo-users.js';

/** The class of demonstration logins (SAML 2.0 authentication context classes, section 3.4.4). */
const PASSWORD = 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password';

/** The login and consent pages of the local stack, without script, for a few fictional people. A demonstration. */
export function demoInteraction(users: DemoUsers): Interaction {
  return {
    accounts: demoAccounts(users),
    acrValues: [PASSWORD],
    pages: (host) =>
      defineRouteGroup({
        name: 'interaction',
        body: formBody(),
        errors: PAGE_ERRORS,
        routes: (resource) => {
          resource(INTERACTION_PATH, { GET: showPage(host), POST: takeDecision(host, users) });
        },
      }),
  };
}

function showPage(host: InteractionHost): Route {
  return route({
    handler: async (request, reply) => {
      const pending = await host.pending({ request, reply });
      const locale = localeFor(request, pending);
      return send(reply, pending === undefined ? expiredPage(locale) : firstPage(locale, pending));
    },
  });
}

function takeDecision(host: InteractionHost, users: DemoUsers): Route {
  return route({
    handler: async (request, reply) => {
      const exchange = { request, reply };
      const pending = await host.pending(exchange);
      const locale = localeFor(request, pending);
      if (pending === undefined) return send(reply, expiredPage(locale));
      const form = formOf(request.body);
      const next = await decide(host, exchange, pending, { users, form });
      if (next !== undefined) return reply.code(303).header('location', next).send();
      return send(reply, loginPage(locale, withName(pending, form), 'wrongPassword'));
    },
  });
}

interface Decision {
  readonly users: DemoUsers;
  readonly form: Readonly<Record<string, unknown>>;
}

/** The address to redirect to; `undefined` if the login failed. */
async function decide(
  host: InteractionHost,
  exchange: InteractionExchange,
  { prompt }: PendingInteraction,
  { users, form: { decision, username, password } }: Decision,
): Promise<string | undefined> {
  if (decision === 'refuse') return host.refuse(exchange);
  if (prompt === 'consent') return decision === 'consent' ? host.consent(exchange) : host.refuse(exchange);
  const isKnown =
    typeof username === 'string' && typeof password === 'string' && hasPassword(users, username, password);
  return isKnown ? host.login(exchange, { accountId: username, acr: PASSWORD, amr: ['pwd'] }) : undefined;
}

function formOf(body: unknown): Decision['form'] {
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

/** Keeps the name in its field after a wrong password. */
function withName(pending: PendingInteraction, { username }: Decision['form']): PendingInteraction {
  return typeof username === 'string' ? { ...pending, loginHint: username } : pending;
}

/** The language that the client requests, else that of the browser. */
function localeFor(request: Request, pending: PendingInteraction | undefined): PageLocale {
  return localeOf({ ...languagesOf(request), uiLocales: pending?.uiLocales });
}

function firstPage(locale: PageLocale, pending: PendingInteraction): RenderedPage {
  if (pending.prompt === 'login') return loginPage(locale, pending);
  return consentPage(locale, pending, demoNote(locale));
}

function send(reply: Reply, { status, policy, content }: RenderedPage): Reply {
  return reply.code(status).headers(pageHeaders(policy)).send(content);
}
