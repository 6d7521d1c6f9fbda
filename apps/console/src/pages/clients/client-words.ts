import type { Client, ClientOrigin, ClientStatus } from '@vestibule/clients';
import { isClientExpired } from '@vestibule/clients/management';
import type { Markup } from '@vestibule/http/pages';
import { isBlankText } from '@vestibule/metadata';
import type { EpochSeconds } from '@vestibule/protocol';
import { stateWord } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';

const MAX_NAME_LENGTH = 80;
const MAX_ID_LENGTH = 120;

/** The registered name of a client, shortened; `undefined` if it has none, or no visible one. */
export function nameOfClient({ metadata }: Pick<Client, 'metadata'>): string | undefined {
  const name = metadata['client_name'];
  if (typeof name !== 'string' || isBlankText(name)) return undefined;
  return shownText(name, MAX_NAME_LENGTH);
}

/** The name of a client for headings and links: its registered name, or its identifier. */
export function titleOfClient(client: Pick<Client, 'id' | 'metadata'>): string {
  return nameOfClient(client) ?? shownText(client.id, MAX_ID_LENGTH);
}

/** Names of origins. */
export const ORIGIN_WORDS: Readonly<Record<ClientOrigin, string>> = {
  registration: 'registration',
  open_registration: 'open registration',
  import: 'import',
  federation_explicit: 'explicit federation registration',
  federation_automatic: 'automatic federation registration',
  metadata_document: 'metadata document',
};

/** Names of statuses. */
export const STATUS_WORDS: Readonly<Record<ClientStatus, string>> = {
  active: 'active',
  pending: 'waiting for approval',
  suspended: 'suspended',
};

const TONES = { active: 'good', pending: 'waiting', suspended: 'bad' } as const;

/** Renders the status of a client; an expired client is unknown to all endpoints. */
export function statusWord(client: Client, now: EpochSeconds): Markup {
  if (isClientExpired(client, now)) return stateWord('expired', 'bad');
  return stateWord(STATUS_WORDS[client.status], TONES[client.status]);
}
