import type { LogoutCase, RedirectRefusal } from '@vestibule/logout';

/** A refused `post_logout_redirect_uri`, for the log. Contains nothing of the request. */
export interface RefusedRedirect {
  readonly reason: string;
  /** The requesting client, if the request proves it. */
  readonly detail?: string;
}

const REASONS: Readonly<Record<RedirectRefusal, string>> = {
  not_registered: 'post_logout_redirect_uri is not registered for this client',
  unproven_client:
    'post_logout_redirect_uri without a valid id_token_hint: the requesting client is not proven',
};

/** The reason why the browser is not sent to the requested address; `undefined` if it is, or if none is requested. */
export function refusedRedirect({ redirectRefusal, client }: LogoutCase): RefusedRedirect | undefined {
  if (redirectRefusal === undefined) return undefined;
  return { reason: REASONS[redirectRefusal], ...(client && { detail: client.id }) };
}
