import type { ClientResponse } from '@vestibule/clients';
import type { ClientStatusInformation } from '@vestibule/clients/management';
import type { EffectiveRegistration } from '@vestibule/clients/registration';
import { JSON_CONTENT_TYPE, type Reply } from '@vestibule/http';
import { formatEntityTag } from './entity-tags.js';

/** Sends client information (registration/API.md#client-information) with its `ETag`. */
export function sendClient(reply: Reply, { text, entityTag, isReplayed }: ClientResponse): Reply {
  reply.header('content-type', JSON_CONTENT_TYPE).header('etag', formatEntityTag(entityTag));
  if (isReplayed) reply.header('idempotency-replayed', 'true');
  return reply.send(text);
}

/** Sends 304 without a body: the caller already has this version (RFC 9110 section 15.4.5). */
export function sendUnchanged(reply: Reply, { entityTag }: ClientResponse): Reply {
  return reply.code(304).header('etag', formatEntityTag(entityTag)).send();
}

/**
 * Sends the result of a dry run: what would be registered, without identifier and credentials, which a dry run does not
 * issue.
 */
export function sendEffective(reply: Reply, effective: EffectiveRegistration): Reply {
  return reply.header('content-type', JSON_CONTENT_TYPE).send(JSON.stringify(effective));
}

/** Sends the status and expiry of a client with the client's `ETag`. */
export function sendStatus(reply: Reply, { entityTag, ...status }: ClientStatusInformation): Reply {
  reply.header('content-type', JSON_CONTENT_TYPE).header('etag', formatEntityTag(entityTag));
  return reply.send(JSON.stringify(status));
}
