import { epochSeconds } from '@vestibule/protocol';
import { ACCESS_TOKEN_STATEMENTS } from './access-token-store.js';
import { ACTIVITY_STATEMENTS } from './activity-records/activity-records.js';
import { RUNNING_PROCESS_STATEMENTS } from './agreed-settings/running-process-store.js';
import { CHAIN_HEAD } from './audit/chain-head.js';
import { LISTED_EVENT_STATEMENTS } from './audit/listed-events.js';
import { RECORDED_REDELIVERY } from './audit/recorded-redeliveries.js';
import { RECORDED_REVOCATION_STATEMENTS } from './audit/recorded-revocations.js';
import { RECORDED_SESSION_STATEMENTS } from './audit/recorded-sessions.js';
import { CHAIN_PAGE } from './audit/verify-chain.js';
import { CHANGE_DELIVERY_STATEMENTS } from './changes/change-deliveries.js';
import { CHANGE_STATEMENTS } from './changes/change-log.js';
import { CLEAN_UP_CHANGES } from './changes/clean-up-changes.js';
import { RECORD_STATEMENTS } from './changes/record-changes.js';
import { cleanUpStatement, END_EXPIRED_SESSIONS, EXPIRING_TABLES } from './clean-up.js';
import { CLIENT_BLOCK_STATEMENTS } from './client-blocks.js';
import { CLIENT_DOCUMENT_STATEMENTS, LEASE_DUE_DOCUMENTS } from './client-document-store.js';
import { CLIENT_HOLDINGS } from './client-holdings.js';
import { CLIENT_STATEMENTS } from './client-repository.js';
import { clientSelection, selectionInOrder } from './client-selection.js';
import { DATA_KEY_LIST } from './data-key-store.js';
import { FEDERATION_STATEMENTS } from './federation-records.js';
import { IDEMPOTENCY_RECORD_STATEMENTS } from './idempotency-record-store.js';
import { ADD_IMPORTED_TOKENS } from './imported-token-store.js';
import { INACTIVE_TOKEN_STATEMENTS } from './inactive-token-records.js';
import { INITIAL_ACCESS_TOKEN_STATEMENTS } from './initial-access-token-store.js';
import { LISTED_TOKEN_STATEMENTS } from './listed-initial-tokens.js';
import { DELIVERY_STATEMENTS, LIST_FILTERS, listStatement } from './logout/delivery-outbox.js';
import { DELIVERY_STATE_STATEMENTS } from './logout/delivery-states.js';
import { LISTED_SESSION_STATEMENTS } from './logout/listed-sessions.js';
import { LOGOUT_SESSION_STATEMENTS } from './logout/logout-sessions.js';
import { OWNED_CLIENT_STATEMENTS } from './owned-clients.js';
import { ACCESS_TOKEN_RECORD_STATEMENTS } from './provider/access-token-records.js';
import { ARTIFACT_RECORD_STATEMENTS } from './provider/artifact-records.js';
import { AUTHORIZATION_RECORD_STATEMENTS } from './provider/authorization-records.js';
import { REFRESH_TOKEN_RECORD_STATEMENTS } from './provider/refresh-token-records.js';
import { SESSION_RECORD_STATEMENTS } from './provider/session-records.js';
import { ENCRYPTED_COLUMNS, readStretch, replaceRecords } from './reencrypt/encrypted-column.js';
import { RECORD_USE } from './replay-store.js';
import { REVOCATION_STATEMENTS } from './revocation-store.js';
import { EVERY_SIGNING_KEY_KID, SIGNING_KEY_LIST } from './signing-key-store.js';
import type { Statement } from './statement.js';
import { CLEAN_UP_EVENT_STATEMENTS } from './stream/clean-up-events.js';
import { INVALIDATION_STATEMENTS } from './stream/invalidation-events.js';
import { UNUSED_CLIENT_STATEMENTS } from './unused-clients.js';

const ROWS = 500;
const NOW = epochSeconds(0);

/** The statements written by hand that must find their rows by an index. */
export const INDEXED_STATEMENTS: readonly Statement[] = [
  ...Object.values(CLIENT_STATEMENTS),
  ...Object.values(CLIENT_DOCUMENT_STATEMENTS),
  OWNED_CLIENT_STATEMENTS.find,
  OWNED_CLIENT_STATEMENTS.markDelivered,
  clientSelection({}, ROWS).statement,
  clientSelection({ now: NOW }, ROWS).statement,
  clientSelection({ now: NOW, isNewestFirst: true }, ROWS).statement,
  clientSelection({ now: NOW, isNewestFirst: true, after: { issuedAtMs: 0, id: '' } }, ROWS).statement,
  ...Object.values(ACCESS_TOKEN_STATEMENTS),
  ...Object.values(INACTIVE_TOKEN_STATEMENTS),
  ADD_IMPORTED_TOKENS,
  ...Object.values(INITIAL_ACCESS_TOKEN_STATEMENTS),
  LISTED_TOKEN_STATEMENTS.find,
  LISTED_TOKEN_STATEMENTS.page,
  CLIENT_HOLDINGS,
  ...Object.values(IDEMPOTENCY_RECORD_STATEMENTS),
  ...Object.values(REVOCATION_STATEMENTS),
  ...Object.values(RECORDED_REVOCATION_STATEMENTS),
  ...Object.values(RECORDED_SESSION_STATEMENTS),
  RECORDED_REDELIVERY,
  ...Object.values(ACCESS_TOKEN_RECORD_STATEMENTS),
  ...Object.values(REFRESH_TOKEN_RECORD_STATEMENTS),
  ...Object.values(AUTHORIZATION_RECORD_STATEMENTS),
  ...Object.values(SESSION_RECORD_STATEMENTS),
  ...Object.values(LOGOUT_SESSION_STATEMENTS),
  ...Object.values(ARTIFACT_RECORD_STATEMENTS),
  ...Object.values(DELIVERY_STATEMENTS),
  listStatement([]),
  ...LIST_FILTERS.map((filter) => listStatement([filter])),
  listStatement(LIST_FILTERS),
  ...Object.values(DELIVERY_STATE_STATEMENTS),
  ...Object.values(ACTIVITY_STATEMENTS),
  FEDERATION_STATEMENTS.members,
  FEDERATION_STATEMENTS.clientsThrough,
  FEDERATION_STATEMENTS.someClientsThrough,
  ...Object.values(CHANGE_STATEMENTS),
  CHAIN_PAGE,
  CHAIN_HEAD,
  ...LISTED_EVENT_STATEMENTS,
  ...Object.values(LISTED_SESSION_STATEMENTS),
  RECORD_USE,
  ...ENCRYPTED_COLUMNS.flatMap((column) => [readStretch(column), replaceRecords(column)]),
];

/** All filters that the command line and the API offer, except a part of a name. */
const FILTER = {
  namePrefix: 'a',
  redirectUri: 'https://rp.example/cb',
  contact: 'a@rp.example',
  grantType: 'authorization_code',
  origin: 'registration',
  softwareId: 'a',
  issuedAfter: NOW,
  issuedBefore: NOW,
  status: 'active',
} as const;
const NAMED = { now: NOW, filter: { ...FILTER, namePart: 'ab' } };

const FILTERED_LISTS: readonly Statement[] = [
  clientSelection({ now: NOW, filter: FILTER }, ROWS).statement,
  clientSelection(NAMED, ROWS).statement,
  selectionInOrder(NAMED, ROWS).statement,
];

/** The statements written by hand that use tables of the schema. */
export const EVERY_STATEMENT: readonly Statement[] = [
  ...INDEXED_STATEMENTS,
  ...FILTERED_LISTS,
  LISTED_TOKEN_STATEMENTS.list,
  ...Object.values(UNUSED_CLIENT_STATEMENTS),
  ...Object.values(CLIENT_BLOCK_STATEMENTS),
  LEASE_DUE_DOCUMENTS,
  ...Object.values(FEDERATION_STATEMENTS).filter((statement) => !INDEXED_STATEMENTS.includes(statement)),
  ...EXPIRING_TABLES.map(cleanUpStatement),
  END_EXPIRED_SESSIONS,
  CLEAN_UP_CHANGES,
  ...Object.values(INVALIDATION_STATEMENTS),
  ...Object.values(CLEAN_UP_EVENT_STATEMENTS),
  ...Object.values(CHANGE_DELIVERY_STATEMENTS),
  ...Object.values(RECORD_STATEMENTS),
  DATA_KEY_LIST,
  SIGNING_KEY_LIST,
  EVERY_SIGNING_KEY_KID,
  ...Object.values(RUNNING_PROCESS_STATEMENTS),
];
