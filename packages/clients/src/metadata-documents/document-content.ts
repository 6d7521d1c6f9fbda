import {
  isJsonObject,
  JsonError,
  type JsonLimits,
  type JsonObject,
  parseJson,
} from '@vestibule/protocol/json';
import { refusedDocument } from './document-refusal.js';
import type { DocumentUrl } from './document-url.js';

/** Deep enough for a key set with certificates and for language maps. */
const LIMITS: JsonLimits = { maxDepth: 6, maxMembers: 500, maxElements: 100 };

/** Methods that need no secret which client and server would have to share. */
const METHODS: readonly unknown[] = ['none', 'private_key_jwt'];

const SECRETS = ['client_secret', 'client_secret_expires_at'];

/**
 * Reads the content of a document as the metadata to register: its `client_id` is exactly its URL, and it has no secret
 * (draft-ietf-oauth-client-id-metadata-document-03 section 4). Without an authentication method the client has none.
 * @throws DocumentRefusal
 */
export function readDocumentContent(url: DocumentUrl, text: string): JsonObject {
  const content = parsed(text);
  if (content['client_id'] !== url)
    throw refusedDocument('content', 'client_id: must be exactly the URL of the document');
  const secret = SECRETS.find((name) => Object.hasOwn(content, name));
  if (secret !== undefined) throw refusedDocument('secret', `${secret}: must not be in a public document`);
  const method = content['token_endpoint_auth_method'] ?? 'none';
  if (!METHODS.includes(method))
    throw refusedDocument('secret', 'token_endpoint_auth_method: must be none or private_key_jwt');
  return { ...content, token_endpoint_auth_method: method };
}

function parsed(text: string): JsonObject {
  try {
    const content = parseJson(text, LIMITS);
    if (isJsonObject(content)) return content;
  } catch (error) {
    // The message names a rule and quotes nothing.
    if (error instanceof JsonError) throw refusedDocument('content', error.message);
    throw error;
  }
  throw refusedDocument('content', 'it is not a JSON object');
}
