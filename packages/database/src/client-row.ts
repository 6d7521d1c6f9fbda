import {
  type Client,
  type ClientOwnership,
  type ClientSecret,
  type ClientSecretHash,
  type FederationMembership,
  parseClientOwner,
  type RegistrationToken,
} from '@vestibule/clients';
import { boundedMap } from '@vestibule/protocol/runtime';
import {
  formatGrantedScopes,
  formatScope,
  type GrantedScopes,
  parseGrantedScopes,
  parseScope,
} from '@vestibule/scopes';
import { digestFromText, instant, member } from './column-values.js';
import { type ColumnsOf, type InJson, jsonObject, type RowOf } from './columns.js';
import type { Client as ClientModel } from './generated/client.js';

/** The columns of the table `client` that a replacement sets directly. */
export const CLIENT_STATE_COLUMNS = {
  metadata: 'jsonb',
  data: 'jsonb',
  grantedScopes: 'text',
  origin: 'client_origin',
  status: 'client_status',
  secretDigest: 'bytea',
  secretEncrypted: 'text',
  secretExpiresAt: 'time',
  secretHashEncrypted: 'text',
  secretHashExpiresAt: 'time',
  registrationTokenDigest: 'bytea',
  registrationTokenEncrypted: 'text',
  previousRegistrationTokenDigest: 'bytea',
  previousRegistrationTokenExpiresAt: 'time',
  updatedAt: 'time',
  version: 'integer',
  entityId: 'text',
  trustAnchor: 'text',
  superior: 'text',
  chainEntities: 'text',
  chainExpiresAt: 'time',
  statementIssuedAt: 'time',
  isAddressed: 'boolean',
  owner: 'text',
  isSecretUndelivered: 'boolean',
} as const satisfies ColumnsOf<ClientModel>;

/** All columns of the table `client`. */
export const CLIENT_COLUMNS = {
  id: 'text',
  issuedAt: 'time',
  lastUsedAt: 'time',
  expiresAt: 'time',
  registrar: 'client_registrar',
  ...CLIENT_STATE_COLUMNS,
} as const satisfies ColumnsOf<ClientModel>;

/** The column in which statements return a row of the table `client`. */
export const CLIENT_OBJECT = `${jsonObject(CLIENT_COLUMNS)} AS client`;

/** A row of a statement that selects {@link CLIENT_OBJECT}. */
export interface SelectedClient {
  readonly client: ClientRow;
}

/** A row of the table `client` as JSON, with digests in base64. */
type ClientRow = InJson<RowOf<ClientModel, typeof CLIENT_COLUMNS, Client>>;

/** Converts a selected row to a client. */
export function selectedClient({ client: row }: SelectedClient): Client {
  return {
    id: row.id,
    metadata: row.metadata,
    grantedScopes: grantedScopesFromText(row.grantedScopes),
    origin: row.origin,
    status: row.status,
    issuedAt: instant(row.issuedAt),
    updatedAt: instant(row.updatedAt),
    version: row.version,
    ...member('registrar', row.registrar),
    ...member('data', row.data),
    ...member('secret', secretFromRow(row)),
    ...member('secretHash', secretHashFromRow(row)),
    ...member('registrationToken', registrationTokenFromRow(row)),
    ...member('lastUsedAt', instant(row.lastUsedAt)),
    ...member('expiresAt', instant(row.expiresAt)),
    ...member('federation', federationFromRow(row)),
    ...member('ownership', ownershipFromRow(row)),
  };
}

/** Converts a client to its row. */
export function clientToRow(client: Client): { readonly [Field in keyof typeof CLIENT_COLUMNS]: unknown } {
  const { secret, secretHash, registrationToken, federation } = client;
  return {
    id: client.id,
    metadata: client.metadata,
    data: client.data,
    grantedScopes: grantedScopesText(client.grantedScopes),
    origin: client.origin,
    registrar: client.registrar,
    status: client.status,
    secretDigest: secret?.digest,
    secretEncrypted: secret?.encrypted,
    secretExpiresAt: secret?.expiresAt,
    secretHashEncrypted: secretHash?.encrypted,
    secretHashExpiresAt: secretHash?.expiresAt,
    registrationTokenDigest: registrationToken?.digest,
    registrationTokenEncrypted: registrationToken?.encrypted,
    previousRegistrationTokenDigest: registrationToken?.previous?.digest,
    previousRegistrationTokenExpiresAt: registrationToken?.previous?.expiresAt,
    issuedAt: client.issuedAt,
    updatedAt: client.updatedAt,
    lastUsedAt: client.lastUsedAt,
    expiresAt: client.expiresAt,
    version: client.version,
    entityId: federation?.entityId,
    trustAnchor: federation?.trustAnchor,
    superior: federation?.superior,
    chainEntities: federation?.chainEntities?.join(' '),
    chainExpiresAt: federation?.chainExpiresAt,
    statementIssuedAt: federation?.statementIssuedAt,
    isAddressed: federation?.isAddressed,
    owner: client.ownership?.owner,
    isSecretUndelivered: client.ownership?.isSecretUndelivered === true ? true : undefined,
  };
}

function secretFromRow(row: ClientRow): ClientSecret | null {
  if (row.secretDigest === null || row.secretEncrypted === null) return null;
  return {
    digest: digestFromText(row.secretDigest),
    encrypted: row.secretEncrypted,
    ...member('expiresAt', instant(row.secretExpiresAt)),
  };
}

// A version that does not know imported hashes sets a secret and leaves the hash, which is then invalid.
function secretHashFromRow(row: ClientRow): ClientSecretHash | null {
  if (row.secretHashEncrypted === null || row.secretDigest !== null) return null;
  return { encrypted: row.secretHashEncrypted, ...member('expiresAt', instant(row.secretHashExpiresAt)) };
}

function registrationTokenFromRow(row: ClientRow): RegistrationToken | null {
  if (row.registrationTokenDigest === null || row.registrationTokenEncrypted === null) return null;
  return {
    digest: digestFromText(row.registrationTokenDigest),
    encrypted: row.registrationTokenEncrypted,
    ...member('previous', previousTokenFromRow(row)),
  };
}

function previousTokenFromRow(row: ClientRow): NonNullable<RegistrationToken['previous']> | null {
  const { previousRegistrationTokenDigest: digest, previousRegistrationTokenExpiresAt: end } = row;
  return digest === null || end === null ? null : { digest: digestFromText(digest), expiresAt: instant(end) };
}

function federationFromRow(row: ClientRow): FederationMembership | null {
  const { entityId, trustAnchor, superior, chainEntities, chainExpiresAt, statementIssuedAt } = row;
  if (entityId === null || trustAnchor === null || superior === null) return null;
  if (chainExpiresAt === null || statementIssuedAt === null) return null;
  return {
    entityId,
    trustAnchor,
    superior,
    ...(chainEntities !== null && { chainEntities: chainEntities.split(' ') }),
    chainExpiresAt: instant(chainExpiresAt),
    statementIssuedAt: instant(statementIssuedAt),
    isAddressed: row.isAddressed ?? true,
  };
}

function ownershipFromRow({ owner, isSecretUndelivered }: ClientRow): ClientOwnership | null {
  const parsed = owner === null ? undefined : parseClientOwner(owner);
  return parsed === undefined ? null : { owner: parsed, isSecretUndelivered: isSecretUndelivered === true };
}

/** Capacity of the cache of parsed granted scopes. */
const MAX_KNOWN_SCOPES = 1_000;

// Most clients have the same granted scopes, and parsing them costs more than the rest of a row.
const knownScopes = boundedMap<string, GrantedScopes>({ maxEntries: MAX_KNOWN_SCOPES });
const scopeTexts = new WeakMap<GrantedScopes, string>();

/** Serializes granted scopes. */
function grantedScopesText(grantedScopes: GrantedScopes): string {
  const before = scopeTexts.get(grantedScopes);
  if (before !== undefined) return before;
  const text = formatScope(formatGrantedScopes(grantedScopes));
  scopeTexts.set(grantedScopes, text);
  return text;
}

/**
 * Parses stored granted scopes.
 * @throws TypeError when the text is not a scope
 */
function grantedScopesFromText(text: string): GrantedScopes {
  const before = knownScopes.get(text);
  if (before !== undefined) return before;
  const scope = parseScope(text);
  if (scope === undefined) throw new TypeError('the stored granted scopes of a client are not a scope');
  const grantedScopes = parseGrantedScopes(scope);
  knownScopes.set(text, grantedScopes);
  return grantedScopes;
}
