import type { ClientResponse, ClientStanding, EffectiveRegistration } from '@vestibule/clients';
import { JSON_CONTENT_TYPE, type Reply } from '@vestibule/service-kit';
import { formatEntityTag } from './entity-tags.js';

/** Answers with the information on a client (registration/API.md#client-information) and its tag. */
export function sendClient(reply: Reply, { text, entityTag, isReplayed }: ClientResponse): Reply {
  reply.header('content-type', JSON_CONTENT_TYPE).header('etag', formatEntityTag(entityTag));
  if (isReplayed) reply.header('idempotency-replayed', 'true');
  return reply.send(text);
}

/** Answers that the caller holds the information already (RFC 9110 section 15.4.5): nothing of it is sent. */
export function sendUnchanged(reply: Reply, { entityTag }: ClientResponse): Reply {
  return reply.code(304).header('etag', formatEntityTag(entityTag)).send();
}

/** Answers a dry run: what would be registered, without identifier and credentials that are issued only then. */
export function sendEffective(reply: Reply, effective: EffectiveRegistration): Reply {
  return reply.header('content-type', JSON_CONTENT_TYPE).send(JSON.stringify(effective));
}

/** Answers the status of a client, and when it ends, with the tag of the client. */
export function sendStatus(reply: Reply, { entityTag, ...standing }: ClientStanding): Reply {
  reply.header('content-type', JSON_CONTENT_TYPE).header('etag', formatEntityTag(entityTag));
  return reply.send(JSON.stringify(standing));
}
