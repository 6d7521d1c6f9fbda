import { type ClientRefusal, type RefusalReason, whyAssertionMalformed } from '@vestibule/client-auth';
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
        const { reason = 'credential', detail = error.error_detail ?? 'no reason' } =
          refusals.get(ctx) ?? explainMalformed(ctx) ?? {};
        onRefused({ route, reason, detail });
      },
    );
}

/**
 * Why an assertion is refused that the library refuses before it looks for a client, such as one without `sub`. The
 * response has its body by now and is not sent yet: there the reason is put in.
 */
function explainMalformed(ctx: ProviderContext): ClientRefusal | undefined {
  const assertion = ctx.oidc.params?.['client_assertion'];
  const refusal = typeof assertion === 'string' ? whyAssertionMalformed(assertion) : undefined;
  if (refusal !== undefined && typeof ctx.body === 'object')
    ctx.body = { ...ctx.body, error_description: refusal.description };
  return refusal;
}
