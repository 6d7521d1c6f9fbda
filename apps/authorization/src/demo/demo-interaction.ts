import { endpointFamily, formBody, type Reply, type Route, route } from '@vestibule/service-kit';
import { pageHeaders, policySource } from '@vestibule/service-kit/pages';
import { INTERACTION_PATH, type Interaction } from '../interaction/interaction.js';
import type {
  InteractionExchange,
  InteractionHost,
  PendingInteraction,
} from '../interaction/interaction-host.js';
import { contentSecurityPolicy } from '../pages/page.js';
import { AUTHORIZATION_ERRORS } from '../presentation.js';
import { consentPage, gonePage, loginPage } from './demo-pages.js';
import { type DemoUsers, demoAccounts, hasPassword } from './demo-users.js';

/** The login and the consent of the local stack: pages without script for a few made-up people. A demonstration. */
export function demoInteraction(users: DemoUsers): Interaction {
  return {
    accounts: demoAccounts(users),
    pages: (host) =>
      endpointFamily({
        name: 'interaction',
        body: formBody(),
        errors: AUTHORIZATION_ERRORS,
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
      return pending === undefined ? sendGone(reply) : sendPage(reply, 200, pending, contentOf(pending));
    },
  });
}

function takeDecision(host: InteractionHost, users: DemoUsers): Route {
  return route({
    handler: async (request, reply) => {
      const exchange = { request, reply };
      const pending = await host.pending(exchange);
      if (pending === undefined) return sendGone(reply);
      const form = formOf(request.body);
      const next = await decide(host, exchange, pending, { users, form });
      if (next !== undefined) return reply.code(303).header('location', next).send();
      const problem = 'That is not the name and password of anybody here.';
      return sendPage(reply, 400, pending, loginPage(withName(pending, form), problem));
    },
  });
}

interface Decision {
  readonly users: DemoUsers;
  readonly form: Readonly<Record<string, unknown>>;
}

/** The address to go on to; `undefined` when the login failed. */
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
  return isKnown ? host.login(exchange, username) : undefined;
}

function formOf(body: unknown): Decision['form'] {
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

/** Whoever mistyped a password need not type the name again. */
function withName(pending: PendingInteraction, { username }: Decision['form']): PendingInteraction {
  return typeof username === 'string' ? { ...pending, loginHint: username } : pending;
}

function contentOf(pending: PendingInteraction): string {
  return pending.prompt === 'login' ? loginPage(pending) : consentPage(pending);
}

function sendGone(reply: Reply): Reply {
  return send(reply, 400, contentSecurityPolicy(), gonePage());
}

function sendPage(reply: Reply, status: number, { client }: PendingInteraction, content: string): Reply {
  return send(reply, status, contentSecurityPolicy(policySource(client.redirectUri)), content);
}

function send(reply: Reply, status: number, policy: string, content: string): Reply {
  return reply.code(status).headers(pageHeaders(policy)).send(content);
}
