import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import { present } from '../registration/registration-request.js';
import type { ExportedClient, ExportFormat } from './exported-client.js';
import { readHydraClient } from './hydra-client.js';
import { readKeycloakClient } from './keycloak-client.js';
import { readOidcProviderClient } from './oidc-provider-client.js';

const READERS: Readonly<Record<ExportFormat, (entry: JsonObject) => ExportedClient>> = {
  'oidc-provider': readOidcProviderClient,
  keycloak: readKeycloakClient,
  hydra: readHydraClient,
};

/** Reads one entry of an export. Never throws. */
export function readExportedClient(format: ExportFormat, entry: JsonValue): ExportedClient {
  if (!isJsonObject(entry)) return { kind: 'passed_over', reason: 'The entry is no object.' };
  return READERS[format](entry);
}

/** Members that hold the clients of a document: a Keycloak realm, a Hydra page. */
const LISTS = ['clients', 'items'];

/**
 * Returns the entries of a document: the elements of an array, the clients of a realm export (or of several), of a
 * page, or the document itself as a single client.
 */
export function exportEntries(document: JsonValue): readonly JsonValue[] {
  if (Array.isArray(document)) return document.flatMap((each) => listOf(each) ?? [each]);
  return listOf(document) ?? [document];
}

function listOf(value: JsonValue): readonly JsonValue[] | undefined {
  if (!isJsonObject(value)) return undefined;
  return LISTS.map((name) => present(value, name)).find((list) => Array.isArray(list));
}
