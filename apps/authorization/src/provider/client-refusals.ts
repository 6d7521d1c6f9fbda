import type { ClientRefusal, RefusalReason } from '@vestibule/client-auth';
import { errors, type Provider, type ProviderContext } from 'oidc-provider';
import { AUTHENTICATED_ROUTES } from './authenticated-routes.js';

/** A client that was not authenticated, for the log and for metrics. */
export interface RefusedClient {
  /** The path of the endpoint. */
  readonly route: string;
  readonly reason: RefusalReason;
  /** What failed; never sent. */
  readonly detail: string;
}

const refusals = new WeakMap<object, ClientRefusal>();

/** A refusal in the form in which the library presents it, with what the caller may know of it. */
export function invalidClient(ctx: ProviderContext, refusal: ClientRefusal): Error {
  refusals.set(ctx, refusal);
  const error = new errors.InvalidClientAuth(refusal.detail);
  const { description } = refusal;
  return description === undefined ? error : Object.assign(error, { error_description: description });
}

/** Tells of every client that a provider does not authenticate. */
export function watchRefusals(provider: Provider, onRefused: (refused: RefusedClient) => void): void {
  for (const event of ['grant.error', 'pushed_authorization_request.error', 'revocation.error'])
    provider.on(
      event,
      (ctx: ProviderContext, error: { readonly error?: string; readonly error_detail?: string }) => {
        const route = AUTHENTICATED_ROUTES.get(ctx.oidc.route);
        if (route === undefined || error.error !== 'invalid_client') return;
        const { reason = 'credential', detail = error.error_detail ?? 'no reason' } = refusals.get(ctx) ?? {};
        onRefused({ route, reason, detail });
      },
    );
}
