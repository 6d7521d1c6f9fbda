import type { Digester } from '@vestibule/crypto';
import type { Client } from './client.js';
import {
  type ClientInformation,
  clientInformation,
  operatorMembers,
  type RevealedCredentials,
} from './client-information.js';
import type { RegistrationDeps } from './registration-deps.js';

/** A response of the operations on one client. */
export interface ClientResponse {
  readonly information: ClientInformation;
  /** The same as the JSON that is answered. */
  readonly text: string;
  /** The version of the client that is shown. */
  readonly version: number;
  /** The version and the registration, which the tag is made of. */
  readonly tagged: string;
  /**
   * The opaque tag of the registration in this version (RFC 9110 section 8.8.3), without quotes. It is the same for
   * everyone, and does not change with what only the operator is shown (`withOperatorMembers`).
   */
  readonly entityTag: string;
  /** Whether the response was given before, to the same request. */
  readonly isReplayed?: true;
}

/** What a response says, before it has its tag. */
export type ResponseContent = Pick<ClientResponse, 'information' | 'version'>;

/** The tags that a condition names, without quotes; `*` is any. What cannot be read names none. */
export type EntityTagCondition = '*' | readonly string[];

/** The response about a client with these credentials in clear. */
export function clientResponse(
  { digester, settings }: Pick<RegistrationDeps, 'digester' | 'settings'>,
  client: Client,
  revealed: RevealedCredentials,
): ClientResponse {
  const information = clientInformation(client, settings.issuer, revealed);
  return withEntityTag(digester, { information, version: client.version });
}

/** Gives a response its tag: any change of the client, or of what is shown of it, changes the tag. */
export function withEntityTag(digester: Digester, content: ResponseContent): ClientResponse {
  const { information, version } = content;
  const text = JSON.stringify(information);
  const tagged = taggedText(text, version);
  return { information, text, version, tagged, entityTag: tagOf(digester.digest('entity-tag', tagged)) };
}

/** The same response for the operator, with what the client itself is not shown. Its tag stays the same. */
export function withOperatorMembers(response: ClientResponse, client: Client): ClientResponse {
  const information = { ...response.information, ...operatorMembers(client) };
  return { ...response, information, text: JSON.stringify(information) };
}

/** Whether a condition names the tag of a response; tags that were given before the digest keys rotated count too. */
export function matchesEntityTag(
  digester: Digester,
  { tagged }: Pick<ClientResponse, 'tagged'>,
  condition: EntityTagCondition,
): boolean {
  if (condition === '*') return true;
  const tags = digester.candidates('entity-tag', tagged).map(tagOf);
  return condition.some((tag) => tags.includes(tag));
}

/** The JSON array of the two. */
function taggedText(text: string, version: number): string {
  return `[${version},${text}]`;
}

function tagOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('base64url');
}
