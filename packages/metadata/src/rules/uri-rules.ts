import { taggedMember } from '../language-names.js';
import { isMailAddress } from '../mail-address.js';
import { invalidMetadata } from '../metadata-error.js';
import type { MetadataRule } from '../metadata-rule.js';
import { isSameOrigin, readUri } from '../uri-reading.js';
import { isWebUrl, readSecureUrl } from '../web-url.js';

const SHOWN_URLS = ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri'] as const;
const SECURE_URLS = [
  'sector_identifier_uri',
  'jwks_uri',
  'initiate_login_uri',
  'backchannel_logout_uri',
] as const;

/** Addresses to show are web pages, in every language (RFC 7591 section 2). */
export const shownUrls: MetadataRule = ({ members, localised }) => {
  for (const name of SHOWN_URLS) requireWebUrl(name, members[name]);
  for (const [tagged, url] of localised) {
    const name = SHOWN_URLS.find((shown) => shown === taggedMember(tagged));
    if (name !== undefined) requireWebUrl(name, url);
  }
};

function requireWebUrl(name: (typeof SHOWN_URLS)[number], url: string | undefined): void {
  if (url !== undefined && !isWebUrl(url)) {
    throw invalidMetadata(name, 'must be an absolute http or https URL');
  }
}

/** Addresses that the server reads from or sends to are https, without fragment. */
export const secureUrls: MetadataRule = ({ members, settings }) => {
  for (const name of SECURE_URLS) {
    const url = members[name];
    if (url === undefined) continue;
    if (readSecureUrl(url, settings)?.hasFragment !== false) {
      throw invalidMetadata(name, 'must be an absolute https URL without fragment');
    }
  }
};

/** Request URIs are https; a fragment may hold the digest of the content (OpenID Connect Core 1.0 section 6.2). */
export const secureRequestUris: MetadataRule = ({ members, settings }) => {
  if (!(members.request_uris ?? []).every((uri) => readSecureUrl(uri, settings) !== undefined)) {
    throw invalidMetadata('request_uris', 'must hold absolute https URLs');
  }
};

/** The front-channel logout address is where a redirect URI is (OpenID Connect Front-Channel Logout 1.0 section 2). */
export const frontchannelLogoutBesideRedirectUri: MetadataRule = ({ members }) => {
  if (members.frontchannel_logout_uri === undefined) return;
  const reading = readUri(members.frontchannel_logout_uri);
  if (reading === undefined || reading.hasFragment) {
    throw invalidMetadata('frontchannel_logout_uri', 'must be an absolute URI without fragment');
  }
  const redirects = (members.redirect_uris ?? []).map(readUri);
  if (!redirects.some((redirect) => redirect !== undefined && isSameOrigin(redirect, reading))) {
    throw invalidMetadata('frontchannel_logout_uri', 'must have the scheme, host and port of a redirect URI');
  }
};

/** Contacts are mail addresses (OpenID Connect Dynamic Client Registration 1.0 section 2). */
export const mailContacts: MetadataRule = ({ members }) => {
  if (!(members.contacts ?? []).every(isMailAddress)) {
    throw invalidMetadata('contacts', 'must hold mail addresses');
  }
};
