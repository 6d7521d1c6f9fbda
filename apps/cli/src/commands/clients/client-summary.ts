import type { Client } from '@vestibule/clients';
import { orderMetadata } from '@vestibule/metadata';
import type { JsonObject } from '@vestibule/protocol/json';
import { dateText, timeText } from '../../frame/plain-text.js';
import type { Column } from '../../frame/table.js';

/** Returns a client for output: everything except its credentials. Times are in seconds since the Unix epoch. */
export function clientSummary(client: Client) {
  const { id, origin, status, issuedAt, updatedAt, lastUsedAt, expiresAt, version, metadata, data } = client;
  return {
    client_id: id,
    origin,
    status,
    issued_at: issuedAt,
    updated_at: updatedAt,
    ...(lastUsedAt !== undefined && { last_used_at: lastUsedAt }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(client.secretHash && { client_secret_hash: 'imported, not used yet' }),
    ...(client.secret && { client_secret_expires_at: client.secret.expiresAt ?? 0 }),
    ...(client.federation && {
      federation: {
        trust_anchor: client.federation.trustAnchor,
        superior: client.federation.superior,
        chain_expires_at: client.federation.chainExpiresAt,
      },
    }),
    ...(client.ownership && { owner: client.ownership.owner }),
    version,
    metadata: orderMetadata(metadata),
    ...(data !== undefined && { data }),
  };
}

/** Result of {@link clientSummary}. */
export type ClientSummary = ReturnType<typeof clientSummary>;

/** Formats a number of clients. */
export function clientsText(count: number): string {
  return count === 1 ? '1 client' : `${count} clients`;
}

/** Columns of a client list; they fit a narrow terminal. */
export const CLIENT_COLUMNS: readonly Column<ClientSummary>[] = [
  { title: 'CLIENT ID', cell: ({ client_id }) => client_id },
  { title: 'NAME', cell: ({ metadata }) => textOf(metadata['client_name']), isCut: true },
  { title: 'STATUS', cell: ({ status }) => status },
  { title: 'ORIGIN', cell: ({ origin }) => origin },
  { title: 'ISSUED', cell: ({ issued_at }) => dateText(issued_at) },
  { title: 'LAST USED', cell: ({ last_used_at }) => dateText(last_used_at) },
];

/** Returns the fields of a client, with one field per metadata member. */
export function clientFields(summary: ClientSummary): Readonly<Record<string, string | number | undefined>> {
  const { metadata, data, federation, ...state } = summary;
  return {
    ...Object.fromEntries(Object.entries(state).map(([name, value]) => [name, shown(name, value)])),
    ...(federation && { trust_anchor: federation.trust_anchor, superior: federation.superior }),
    ...memberFields(metadata),
    ...(data && { data: JSON.stringify(data) }),
  };
}

/** Formats the members of a JSON object as fields: strings unchanged, lists comma-separated. */
export function memberFields(members: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, memberText(name, value)]));
}

function memberText(name: string, value: JsonObject[string] | undefined): string {
  if (typeof value === 'number') return String(shown(name, value));
  if (typeof value === 'string') return value;
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isList ? value.join(', ') : JSON.stringify(value);
}

function shown(name: string, value: string | number): string | number {
  if (typeof value !== 'number' || !name.endsWith('_at')) return value;
  return name === 'client_secret_expires_at' && value === 0 ? 'never' : timeText(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
