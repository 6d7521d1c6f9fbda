import type { ClientMetadata } from '@vestibule/metadata';
import { LOOPBACK_HOSTS } from '@vestibule/metadata/uris';
import { refusedDocument } from './document-refusal.js';
import type { DocumentUrl } from './document-url.js';

/** URIs that responses and end-users are sent to. Native clients have some on the device itself. */
const TARGETS = ['redirect_uris', 'post_logout_redirect_uris'] as const;

/** URIs that this server or a browser loads. */
const LOADED = [
  'jwks_uri',
  'sector_identifier_uri',
  'request_uris',
  'initiate_login_uri',
  'frontchannel_logout_uri',
  'backchannel_logout_uri',
] as const;

/**
 * Refuses a document with a URI of another origin: people trust the host that they are shown, so responses must not go
 * elsewhere, and the server must not be sent elsewhere
 * (draft-ietf-oauth-client-id-metadata-document-03 section 8.1). Redirects to the device itself are permitted.
 * @throws DocumentRefusal
 */
export function requireSameOrigin(url: DocumentUrl, metadata: ClientMetadata): void {
  const { origin } = new URL(url);
  const isForeign = (uri: unknown) => typeof uri === 'string' && new URL(uri).origin !== origin;
  const target = TARGETS.find((member) =>
    textsOf(metadata[member]).some((uri) => isForeign(uri) && !isOnDevice(uri)),
  );
  const member = target ?? LOADED.find((name) => textsOf(metadata[name]).some(isForeign));
  if (member !== undefined) throw refusedDocument('uri', `${member}: must have the origin of the document`);
}

/** Whether a redirect stays on the device: a private-use scheme or a loopback address (RFC 8252 section 7). */
function isOnDevice(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return !['https:', 'http:'].includes(protocol) || LOOPBACK_HOSTS.has(hostname);
}

function textsOf(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
}
