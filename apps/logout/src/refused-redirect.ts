import type { LogoutCase, RedirectRefusal } from '@vestibule/logout';

/** A `post_logout_redirect_uri` that the browser is not sent to, for the log. Holds nothing of the request. */
export interface RefusedRedirect {
  readonly reason: string;
  /** The client that asks, where the request proves it. */
  readonly detail?: string;
}

const REASONS: Readonly<Record<RedirectRefusal, string>> = {
  not_registered: 'post_logout_redirect_uri is not registered for this application',
  unproven_client:
    'post_logout_redirect_uri came without an id_token_hint that proves which application asks',
};

/** Why the browser is not sent to the address that a request names; `undefined` where it is, or none is named. */
export function refusedRedirect({ redirectRefusal, client }: LogoutCase): RefusedRedirect | undefined {
  if (redirectRefusal === undefined) return undefined;
  return { reason: REASONS[redirectRefusal], ...(client && { detail: client.id }) };
}
