import type { Digester } from '@vestibule/crypto';
import type { Client } from './client.js';
import { type ClientInformation, clientInformation, type RevealedCredentials } from './client-information.js';
import type { RegistrationDeps } from './registration-deps.js';

/** An answer of the operations on one client. */
export interface ClientAnswer {
  readonly information: ClientInformation;
  /** The same as the JSON that is answered. */
  readonly text: string;
  /** The version of the client that is shown. */
  readonly version: number;
  /**
   * The opaque tag of exactly this information (RFC 9110 section 8.8.3), without quotes; it tells nothing to others.
   */
  readonly entityTag: string;
  /** Whether the answer was given before, to the same request. */
  readonly isReplayed?: true;
}

/** What an answer says, before it has its tag. */
export type AnswerContent = Pick<ClientAnswer, 'information' | 'version'>;

/** The tags that a condition names, without quotes; `*` is any. What cannot be read names none. */
export type EntityTagCondition = '*' | readonly string[];

/** The answer about a client with these credentials in clear. */
export function clientAnswer(
  { digester, settings }: Pick<RegistrationDeps, 'digester' | 'settings'>,
  client: Client,
  revealed: RevealedCredentials,
): ClientAnswer {
  const information = clientInformation(client, settings.issuer, revealed);
  return withEntityTag(digester, { information, version: client.version });
}

/** Gives an answer its tag: any change of the client, or of what is shown of it, changes the tag. */
export function withEntityTag(digester: Digester, content: AnswerContent): ClientAnswer {
  const { information, version } = content;
  const text = JSON.stringify(information);
  return {
    information,
    text,
    version,
    entityTag: tagOf(digester.digest('entity-tag', taggedText(text, version))),
  };
}

/** Whether a condition names the tag of an answer; tags that were given before the digest keys rotated count too. */
export function matchesEntityTag(
  digester: Digester,
  { text, version }: Pick<ClientAnswer, 'text' | 'version'>,
  condition: EntityTagCondition,
): boolean {
  if (condition === '*') return true;
  const tags = digester.candidates('entity-tag', taggedText(text, version)).map(tagOf);
  return condition.some((tag) => tags.includes(tag));
}

/** The JSON array of the two. */
function taggedText(text: string, version: number): string {
  return `[${version},${text}]`;
}

function tagOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('base64url');
}
