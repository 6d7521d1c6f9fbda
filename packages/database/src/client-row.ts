import type {
  Client,
  ClientSecret,
  ClientSecretHash,
  FederationMembership,
  RegistrationToken,
} from '@vestibule/clients';
import { digestFromText, instant, member } from './column-values.js';
import { jsonObject } from './columns.js';
import { rightsFromText, rightsText } from './rights-text.js';

/** The columns of the table `client` that a replacement sets directly. */
export const CLIENT_STATE_COLUMNS = {
  metadata: 'jsonb',
  data: 'jsonb',
  rights: 'text',
  origin: 'client_origin',
  status: 'client_status',
  secret_digest: 'bytea',
  secret_sealed: 'text',
  secret_expires_at: 'time',
  secret_hash_sealed: 'text',
  secret_hash_expires_at: 'time',
  registration_token_digest: 'bytea',
  registration_token_sealed: 'text',
  previous_registration_token_digest: 'bytea',
  previous_registration_token_expires_at: 'time',
  updated_at: 'time',
  version: 'integer',
  entity_id: 'text',
  trust_anchor: 'text',
  superior: 'text',
  chain_entities: 'text',
  chain_expires_at: 'time',
  statement_issued_at: 'time',
  is_addressed: 'boolean',
} as const;

/** All columns of the table `client`. */
export const CLIENT_COLUMNS = {
  id: 'text',
  issued_at: 'time',
  last_used_at: 'time',
  expires_at: 'time',
  registrar: 'client_registrar',
  ...CLIENT_STATE_COLUMNS,
} as const;

/** The column in which statements return a row of the table `client`. */
export const CLIENT_OBJECT = `${jsonObject(CLIENT_COLUMNS)} AS client`;

/** A row of a statement that selects {@link CLIENT_OBJECT}. */
export interface SelectedClient {
  readonly client: ClientRow;
}

/** A row of the table `client`: times in seconds since the epoch, digests in base64. */
interface ClientRow {
  readonly id: Client['id'];
  readonly metadata: Client['metadata'];
  readonly data: NonNullable<Client['data']> | null;
  readonly rights: string;
  readonly origin: Client['origin'];
  readonly registrar: NonNullable<Client['registrar']> | null;
  readonly status: Client['status'];
  readonly secret_digest: string | null;
  readonly secret_sealed: string | null;
  readonly secret_expires_at: number | null;
  readonly secret_hash_sealed: string | null;
  readonly secret_hash_expires_at: number | null;
  readonly registration_token_digest: string | null;
  readonly registration_token_sealed: string | null;
  readonly previous_registration_token_digest: string | null;
  readonly previous_registration_token_expires_at: number | null;
  readonly issued_at: number;
  readonly updated_at: number;
  readonly last_used_at: number | null;
  readonly expires_at: number | null;
  readonly version: number;
  readonly entity_id: string | null;
  readonly trust_anchor: string | null;
  readonly superior: string | null;
  readonly chain_entities: string | null;
  readonly chain_expires_at: number | null;
  readonly statement_issued_at: number | null;
  readonly is_addressed: boolean | null;
}

/** Converts a selected row to a client. */
export function selectedClient({ client: row }: SelectedClient): Client {
  return {
    id: row.id,
    metadata: row.metadata,
    rights: rightsFromText(row.rights),
    origin: row.origin,
    status: row.status,
    issuedAt: instant(row.issued_at),
    updatedAt: instant(row.updated_at),
    version: row.version,
    ...member('registrar', row.registrar),
    ...member('data', row.data),
    ...member('secret', secretFromRow(row)),
    ...member('secretHash', secretHashFromRow(row)),
    ...member('registrationToken', registrationTokenFromRow(row)),
    ...member('lastUsedAt', instant(row.last_used_at)),
    ...member('expiresAt', instant(row.expires_at)),
    ...member('federation', federationFromRow(row)),
  };
}

/** Converts a client to its row. */
export function clientToRow(client: Client): Record<keyof typeof CLIENT_COLUMNS, unknown> {
  const { secret, secretHash, registrationToken, federation } = client;
  return {
    id: client.id,
    metadata: client.metadata,
    data: client.data,
    rights: rightsText(client.rights),
    origin: client.origin,
    registrar: client.registrar,
    status: client.status,
    secret_digest: secret?.digest,
    secret_sealed: secret?.encrypted,
    secret_expires_at: secret?.expiresAt,
    secret_hash_sealed: secretHash?.encrypted,
    secret_hash_expires_at: secretHash?.expiresAt,
    registration_token_digest: registrationToken?.digest,
    registration_token_sealed: registrationToken?.encrypted,
    previous_registration_token_digest: registrationToken?.previous?.digest,
    previous_registration_token_expires_at: registrationToken?.previous?.expiresAt,
    issued_at: client.issuedAt,
    updated_at: client.updatedAt,
    last_used_at: client.lastUsedAt,
    expires_at: client.expiresAt,
    version: client.version,
    entity_id: federation?.entityId,
    trust_anchor: federation?.trustAnchor,
    superior: federation?.superior,
    chain_entities: federation?.chainEntities?.join(' '),
    chain_expires_at: federation?.chainExpiresAt,
    statement_issued_at: federation?.statementIssuedAt,
    is_addressed: federation?.isAddressed,
  };
}

function secretFromRow(row: ClientRow): ClientSecret | null {
  if (row.secret_digest === null || row.secret_sealed === null) return null;
  return {
    digest: digestFromText(row.secret_digest),
    encrypted: row.secret_sealed,
    ...member('expiresAt', instant(row.secret_expires_at)),
  };
}

// A version that does not know imported hashes sets a secret and leaves the hash, which is then invalid.
function secretHashFromRow(row: ClientRow): ClientSecretHash | null {
  if (row.secret_hash_sealed === null || row.secret_digest !== null) return null;
  return { encrypted: row.secret_hash_sealed, ...member('expiresAt', instant(row.secret_hash_expires_at)) };
}

function registrationTokenFromRow(row: ClientRow): RegistrationToken | null {
  if (row.registration_token_digest === null || row.registration_token_sealed === null) return null;
  return {
    digest: digestFromText(row.registration_token_digest),
    encrypted: row.registration_token_sealed,
    ...member('previous', previousTokenFromRow(row)),
  };
}

function previousTokenFromRow(row: ClientRow): NonNullable<RegistrationToken['previous']> | null {
  const { previous_registration_token_digest: digest, previous_registration_token_expires_at: end } = row;
  return digest === null || end === null ? null : { digest: digestFromText(digest), expiresAt: instant(end) };
}

function federationFromRow(row: ClientRow): FederationMembership | null {
  const { entity_id, trust_anchor, superior, chain_entities, chain_expires_at, statement_issued_at } = row;
  if (entity_id === null || trust_anchor === null || superior === null) return null;
  if (chain_expires_at === null || statement_issued_at === null) return null;
  return {
    entityId: entity_id,
    trustAnchor: trust_anchor,
    superior,
    ...(chain_entities !== null && { chainEntities: chain_entities.split(' ') }),
    chainExpiresAt: instant(chain_expires_at),
    statementIssuedAt: instant(statement_issued_at),
    isAddressed: row.is_addressed ?? true,
  };
}
