import type { Digest, Digester } from '@vestibule/crypto/data-keys';
import type { Client } from './client.js';
import {
  type ClientInformation,
  clientInformation,
  operatorMembers,
  type RevealedCredentials,
} from './client-information.js';
import type { RegistrationSettings } from './registration/registration-settings.js';

/** Response of an operation on one client. */
export interface ClientResponse {
  readonly information: ClientInformation;
  /** The client information as JSON text. */
  readonly text: string;
  /** The version of the client in the response. */
  readonly version: number;
  /** The version and the registration, from which the tag is computed. */
  readonly tagged: string;
  /**
   * The opaque entity tag of this version (RFC 9110 section 8.8.3), without quotes. It is the same for every caller;
   * members shown only to the operator (`withOperatorMembers`) do not change it.
   */
  readonly entityTag: string;
  /** Whether this is a repeated response to a request with an idempotency key. */
  readonly isReplayed?: true;
}

/** A response without its tag. */
export type ResponseContent = Pick<ClientResponse, 'information' | 'version'>;

/** The tags that a condition names, without quotes, or `*` for any. A header that cannot be parsed names none. */
export type EntityTagCondition = '*' | readonly string[];

/** Dependencies of building responses. */
interface ResponseDeps {
  readonly digester: Digester;
  readonly settings: Pick<RegistrationSettings, 'issuer'>;
}

/** Builds the response for a client with these credentials in plain text. */
export function clientResponse(
  { digester, settings }: ResponseDeps,
  client: Client,
  revealed: RevealedCredentials,
): ClientResponse {
  const information = clientInformation(client, settings.issuer, revealed);
  return withEntityTag(digester, { information, version: client.version });
}

/** Adds the tag to a response. Any change of the client, or of its shown members, changes the tag. */
export function withEntityTag(digester: Digester, content: ResponseContent): ClientResponse {
  const { information, version } = content;
  const text = JSON.stringify(information);
  const tagged = taggedText(text, version);
  return { information, text, version, tagged, entityTag: tagOf(digester.digest('entity-tag', tagged)) };
}

/** Adds the members that only the operator sees. The tag stays the same. */
export function withOperatorMembers(response: ClientResponse, client: Client): ClientResponse {
  const information = { ...response.information, ...operatorMembers(client) };
  return { ...response, information, text: JSON.stringify(information) };
}

/**
 * Whether a condition names the tag of a response, including tags made under earlier digest keys. While a digest key
 * cannot be opened, `Digester.matches` throws for a tag that may be under it, and `Digester.matchesAvailable` does not.
 */
export function matchesEntityTag(
  matches: Digester['matches'],
  { tagged }: Pick<ClientResponse, 'tagged'>,
  condition: EntityTagCondition,
): boolean {
  if (condition === '*') return true;
  // Another spelling of the same bytes is another tag.
  const named = condition.map(digestOf).filter((digest, index) => tagOf(digest) === condition[index]);
  return matches('entity-tag', tagged, ...named);
}

/** The text that is tagged: a JSON array of version and information. */
function taggedText(text: string, version: number): string {
  return `[${version},${text}]`;
}

function digestOf(tag: string): Digest {
  return Uint8Array.from(Buffer.from(tag, 'base64url')) as Uint8Array as Digest;
}

function tagOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('base64url');
}
