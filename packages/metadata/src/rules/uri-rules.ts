import { taggedMember } from '../language-names.js';
import { invalidMetadata } from '../metadata-error.js';
import { elementName, type MetadataRule } from '../metadata-rule.js';
import { examineUri, isSameOrigin, readUri } from '../uris/uri-reading.js';
import { secureUrlProblem, webUrlProblem } from '../uris/web-url.js';

const SHOWN_URLS = ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri'] as const;
const SECURE_URLS = [
  'sector_identifier_uri',
  'jwks_uri',
  'initiate_login_uri',
  'backchannel_logout_uri',
] as const;

const NO_FRAGMENT = 'must not have a fragment';

/** URLs shown to end-users are web pages, in every language (RFC 7591 section 2). */
export const shownUrls: MetadataRule = ({ members, localized }) => {
  for (const name of SHOWN_URLS) requireWebUrl(name, members[name]);
  for (const [tagged, url] of localized) {
    if (SHOWN_URLS.some((shown) => shown === taggedMember(tagged))) requireWebUrl(tagged, url);
  }
};

function requireWebUrl(name: string, url: string | undefined): void {
  const problem = url === undefined ? undefined : webUrlProblem(url);
  if (problem !== undefined) throw invalidMetadata(name, problem);
}

/** URLs that the server fetches or calls are https, without a fragment. */
export const secureUrls: MetadataRule = ({ members, settings }) => {
  for (const name of SECURE_URLS) {
    const url = members[name];
    if (url === undefined) continue;
    const problem = secureUrlProblem(url, settings) ?? (url.includes('#') ? NO_FRAGMENT : undefined);
    if (problem !== undefined) throw invalidMetadata(name, problem);
  }
};

/** Request URIs are https; a fragment may contain the digest of the content (OpenID Connect Core 1.0 section 6.2). */
export const secureRequestUris: MetadataRule = (context) => {
  for (const uri of context.members.request_uris ?? []) {
    const problem = secureUrlProblem(uri, context.settings);
    if (problem !== undefined) throw invalidMetadata(elementName(context, 'request_uris', uri), problem);
  }
};

/**
 * The front-channel logout URI has the origin of a redirect URI (OpenID Connect Front-Channel Logout 1.0 section 2).
 */
export const frontchannelLogoutBesideRedirectUri: MetadataRule = ({ members }) => {
  if (members.frontchannel_logout_uri === undefined) return;
  const { reading, problem } = examineUri(members.frontchannel_logout_uri);
  if (reading === undefined) throw invalidMetadata('frontchannel_logout_uri', problem);
  if (reading.hasFragment) throw invalidMetadata('frontchannel_logout_uri', NO_FRAGMENT);
  const redirects = (members.redirect_uris ?? []).map(readUri);
  if (!redirects.some((redirect) => redirect !== undefined && isSameOrigin(redirect, reading))) {
    throw invalidMetadata('frontchannel_logout_uri', 'must have the scheme, host and port of a redirect URI');
  }
};
