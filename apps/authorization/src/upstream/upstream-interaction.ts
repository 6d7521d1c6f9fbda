import { defineRouteGroup, languagesOf, type Reply, type Request, type Route, route } from '@vestibule/http';
import { formBody } from '@vestibule/http/bodies';
import { pageHeaders, type RenderedPage } from '@vestibule/http/pages';
import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import { UpstreamError } from '@vestibule/service/upstream';
import { INTERACTION_PATH, type Interaction, interactionAddress } from '../interaction/interaction.js';
import type {
  EndUserLogin,
  InteractionExchange,
  InteractionHost,
  PendingInteraction,
} from '../interaction/interaction-host.js';
import { consentPage } from '../pages/consent-page.js';
import { expiredPage, localeOf, PAGE_ERRORS, type PageLocale } from '../pages/page.js';
import { type BackchannelLogoutDeps, backchannelLogoutRoutes } from './backchannel-logout.js';
import {
  type FinishedLogin,
  finishLogin,
  interactionOf,
  startLogin,
  takeAttempt,
  type UpstreamLoginDeps,
} from './upstream-login.js';
import { type UpstreamLogoutDeps, upstreamLogoutRoutes } from './upstream-logout.js';
import type { UpstreamOutcome } from './upstream-outcome.js';
import { failedLoginPage, onwardPage } from './upstream-page.js';
import { UPSTREAM_PATH } from './upstream-paths.js';

/** Dependencies of {@link upstreamInteraction}. */
export interface UpstreamInteractionDeps
  extends UpstreamLoginDeps,
    BackchannelLogoutDeps,
    UpstreamLogoutDeps {
  /** The authentication context classes of the other provider that are passed on. */
  readonly acrValues: readonly string[];
  /** Called for each login at the other provider that ended, for metrics. */
  readonly onLogin: (outcome: UpstreamOutcome) => void;
}

/**
 * Login at another OpenID provider; consent here. The end-users of that provider log in there, clients and tokens are
 * ours.
 */
export function upstreamInteraction(deps: UpstreamInteractionDeps): Interaction {
  return {
    accounts: deps.records.accounts,
    acrValues: deps.acrValues,
    pages: (host) => async (app) => {
      await app.register(
        defineRouteGroup({
          name: 'interaction',
          body: formBody(),
          errors: PAGE_ERRORS,
          routes: (resource) => {
            resource(INTERACTION_PATH, { GET: openInteraction(host, deps), POST: takeConsent(host, deps) });
            resource(UPSTREAM_PATH.callback, { GET: returnToInteraction(deps) });
          },
        }),
      );
      await app.register(upstreamLogoutRoutes(deps));
      await app.register(backchannelLogoutRoutes(deps));
    },
  };
}

/** GET /interaction/{uid}: on to the other provider, back from it with its response, or the consent page. */
function openInteraction(host: InteractionHost, deps: UpstreamInteractionDeps): Route {
  return route({
    handler: async (request, reply) => {
      const exchange = { request, reply };
      const pending = await host.pending(exchange);
      const locale = localeFor(request, pending);
      if (pending === undefined) return send(reply, expiredPage(locale));
      if (pending.prompt === 'consent') return send(reply, consentPage(locale, await named(deps, pending)));
      const uid = uidOf(request);
      try {
        return redirect(reply, await logInStep(host, deps, { exchange, pending, uid }));
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        deps.onProblem(error);
        deps.onLogin(error.reason);
        return send(reply, failedLoginPage(locale, error, interactionAddress(deps.issuer, uid)));
      }
    },
  });
}

/** A login that the browser is at. */
interface LoginVisit {
  readonly exchange: InteractionExchange;
  readonly pending: PendingInteraction;
  readonly uid: string;
}

/**
 * The address that a login continues at.
 * @throws UpstreamError
 */
async function logInStep(
  host: InteractionHost,
  deps: UpstreamInteractionDeps,
  { exchange, pending, uid }: LoginVisit,
): Promise<string> {
  const query = queryOf(exchange.request);
  const attempt = await takeAttempt(deps, uid, query);
  // A response to an earlier attempt starts another one.
  if (attempt === undefined) return (await startLogin(deps, uid, pending)).href;
  if (new URLSearchParams(query).get('error') === 'access_denied') {
    deps.onLogin('cancelled');
    return host.refuse(exchange);
  }
  const finished = await finishLogin(deps, query, attempt);
  exchange.reply.header('set-cookie', deps.cookie.set(finished.session));
  const address = await host.login(exchange, endUserLogin(deps, finished));
  deps.onLogin('success');
  return address;
}

/** What the session here records of a login there. */
function endUserLogin(
  { acrValues, clock }: Pick<UpstreamInteractionDeps, 'acrValues' | 'clock'>,
  { accountId, login: { acr, amr, authenticatedAt } }: FinishedLogin,
): EndUserLogin {
  return {
    accountId,
    ...(acr !== undefined && acrValues.includes(acr) && { acr }),
    ...(amr !== undefined && amr.length > 0 && { amr }),
    ...(authenticatedAt !== undefined && {
      authenticatedAt: epochSeconds(Math.min(authenticatedAt, nowSeconds(clock))),
    }),
  };
}

/** POST /interaction/{uid}: the decision of the consent page. */
function takeConsent(host: InteractionHost, deps: UpstreamInteractionDeps): Route {
  return route({
    handler: async (request, reply) => {
      const exchange = { request, reply };
      const pending = await host.pending(exchange);
      if (pending === undefined) return send(reply, expiredPage(localeFor(request, pending)));
      if (pending.prompt === 'login') return redirect(reply, interactionAddress(deps.issuer, uidOf(request)));
      const { decision } = { ...(request.body as object | undefined) } as { readonly decision?: unknown };
      return redirect(reply, await (decision === 'consent' ? host.consent(exchange) : host.refuse(exchange)));
    },
  });
}

/**
 * GET /upstream/callback, the redirect URI at the other provider. The cookie of an interaction belongs to the path of
 * that interaction, so the browser takes the response there.
 */
function returnToInteraction({ issuer }: Pick<UpstreamInteractionDeps, 'issuer'>): Route {
  return route({
    handler: async (request, reply) => {
      const query = queryOf(request);
      const uid = interactionOf(new URLSearchParams(query).get('state'));
      if (uid === undefined) return send(reply, expiredPage(localeFor(request, undefined)));
      return send(
        reply,
        onwardPage(localeFor(request, undefined), `${interactionAddress(issuer, uid)}?${query}`),
      );
    },
  });
}

/** The interaction with the name by which the end-user knows the account. */
async function named(
  { records }: Pick<UpstreamInteractionDeps, 'records'>,
  pending: PendingInteraction,
): Promise<PendingInteraction> {
  const account =
    pending.accountId === undefined ? undefined : await records.accounts.find(pending.accountId);
  return account?.username === undefined ? pending : { ...pending, accountId: account.username };
}

function uidOf({ params }: Request): string {
  return (params as { readonly uid: string }).uid;
}

function queryOf({ raw }: Request): string {
  const [, query = ''] = (raw.url ?? '').split('?', 2);
  return query;
}

function localeFor(request: Request, pending: PendingInteraction | undefined): PageLocale {
  return localeOf({ ...languagesOf(request), uiLocales: pending?.uiLocales });
}

/** The address that a browser leaves may carry a code. */
function redirect(reply: Reply, location: string): Reply {
  return reply.code(303).header('location', location).header('referrer-policy', 'no-referrer').send();
}

function send(reply: Reply, { status, policy, content }: RenderedPage): Reply {
  return reply.code(status).headers(pageHeaders(policy)).send(content);
}
