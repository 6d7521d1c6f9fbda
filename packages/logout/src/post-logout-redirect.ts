import type { Client } from '@vestibule/clients';
import { isUriHost } from '@vestibule/protocol';

/**
 * The address that the browser goes to: one that the client registered, character by character, with `state` added to
 * its query (OpenID Connect RP-Initiated Logout 1.0 sections 2 and 3). `undefined` if it is not registered, or if it is
 * a web address whose host has a form that registration does not accept.
 */
export function postLogoutRedirect(
  { metadata }: Pick<Client, 'metadata'>,
  uri: string,
  state: string | undefined,
): string | undefined {
  const registered = metadata.post_logout_redirect_uris?.find((candidate) => candidate === uri);
  if (registered === undefined || !URL.canParse(registered)) return undefined;
  const url = new URL(registered);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (isWeb && !isUriHost(url.hostname)) return undefined;
  if (state !== undefined) {
    const before = url.search === '' ? '' : `${url.search.slice(1)}&`;
    url.search = `${before}state=${encodeURIComponent(state)}`;
  }
  return url.href;
}
