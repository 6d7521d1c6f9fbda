import type { ClientRefusal, RefusalReason } from '@vestibule/client-auth';
import { whyAssertionMalformed } from '@vestibule/client-auth/assertions';
import { ENDPOINT_PATH } from '@vestibule/protocol/constants';
import { errors, type Provider, type ProviderContext } from 'oidc-provider';

/** A failed client authentication, for the log and for metrics. */
export interface RefusedClient {
  /** The path of the endpoint. */
  readonly route: string;
  readonly reason: RefusalReason;
  /** The reason of the failure; never sent to the client. */
  readonly detail: string;
}

const refusals = new WeakMap<object, ClientRefusal>();

/** A refusal as an error of the library, with what the caller may learn about it. */
export function invalidClient(ctx: ProviderContext, refusal: ClientRefusal): Error {
  refusals.set(ctx, refusal);
  const error = new errors.InvalidClientAuth(refusal.detail);
  const { description } = refusal;
  return description === undefined ? error : Object.assign(error, { error_description: description });
}

/** Calls `onRefused` for every client that a provider does not authenticate. */
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
 * The reason why the library refuses an assertion before it looks up a client, such as one without `sub`. The response
 * already has its body and is not sent yet: the reason is added there.
 */
function explainMalformed(ctx: ProviderContext): ClientRefusal | undefined {
  const assertion = ctx.oidc.params?.['client_assertion'];
  const refusal = typeof assertion === 'string' ? whyAssertionMalformed(assertion) : undefined;
  if (refusal !== undefined && typeof ctx.body === 'object')
    ctx.body = { ...ctx.body, error_description: refusal.description };
  return refusal;
}

/** The endpoints at which the library authenticates clients: their paths, by the names of the library. */
export const AUTHENTICATED_ROUTES: ReadonlyMap<string, string> = new Map([
  ['token', ENDPOINT_PATH.token],
  ['pushed_authorization_request', ENDPOINT_PATH.pushedAuthorization],
  ['revocation', ENDPOINT_PATH.revocation],
]);
