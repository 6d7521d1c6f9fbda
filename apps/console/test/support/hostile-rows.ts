import type { DocumentRecord, DocumentUrl } from '@vestibule/clients/metadata-documents';
import { sha256 } from '@vestibule/crypto';
import type { Digest } from '@vestibule/crypto/data-keys';
import { foreignSql, type Sql } from '@vestibule/local-services/testing';
import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import { parseScope } from '@vestibule/scopes';
import { aClient, aClientId } from '@vestibule/testkit';
import type { TestConsole } from './build-test-console.js';
import { HOSTILE_TEXT, HOSTILE_TEXTS } from './hostile-texts.js';

/** A store, and SQL of another program on its database. */
interface Stored extends Pick<TestConsole, 'store'> {
  readonly sql: Sql;
}

/** Hostile text in printable ASCII, of which identifiers may consist. */
export const HOSTILE_ID = `"><script>globalThis.harmed=true</script><img src=https://evil.example/i>'/..%2f`;

/** Hostile text for what stands in addresses too; long ones are no identifiers. */
export const HOSTILE_NAME = [
  HOSTILE_TEXTS.element,
  HOSTILE_TEXTS.attribute,
  HOSTILE_TEXTS.comment,
  HOSTILE_TEXTS.direction,
].join(' ');

/** The URL of a metadata document that registered a client. */
export const DOCUMENT_URL = 'https://app.example/client.json' as DocumentUrl;

/** The entity that is denied for a hostile reason. */
export const DENIED_ENTITY = 'https://denied.example';

/** The initial access token; a SHA-256 digest has the form of the keyed ones. */
const INITIAL_TOKEN = sha256('initial token of the fixture') as Digest;

/** By what pages and events name it. */
export const INITIAL_TOKEN_ID = Buffer.from(INITIAL_TOKEN).toString('hex').slice(0, 8);

/** Stores what is known about a metadata document. */
export async function storeDocument(
  { store: { database, clock } }: Pick<TestConsole, 'store'>,
  url: DocumentUrl,
  record: DocumentRecord,
): Promise<void> {
  const lease = await database.clientDocuments.lease(url, 60);
  if (typeof lease === 'string') throw new TypeError(lease);
  await database.clientDocuments.save(lease, record, nowSeconds(clock));
}

/**
 * Fills every table that a page reads, beside the clients, with rows whose texts are hostile. Programs refuse most of
 * them; rows of earlier versions and other programs may have them.
 * @param clientId a client that stays active, which the rows name; the others wait for approval
 */
export async function fillWithHostileRows(
  { store, databaseUrl }: Pick<TestConsole, 'store' | 'databaseUrl'>,
  clientId: string,
): Promise<void> {
  const stored = { store, sql: await foreignSql(databaseUrl) };
  await stored.sql(`UPDATE client SET status = 'pending' WHERE id <> $1`, [clientId]);
  await addClients(stored);
  await addInitialToken(stored, clientId);
  await addSessions(stored, clientId);
  await addKey(stored);
  await stored.sql(
    `INSERT INTO client_block (kind, value, reason, blocked_at) VALUES ('software_id', $1, $2, now())`,
    [HOSTILE_NAME, HOSTILE_TEXT],
  );
  await addEvents(stored, clientId);
}

/** A client of a document, a member of a federation, and a client with a hostile identifier. */
async function addClients({ store, sql }: Stored): Promise<void> {
  const { database, clock } = store;
  const now = nowSeconds(clock);
  const after = (seconds: number) => epochSeconds(now + seconds);
  await database.clients.create(
    aClient({ id: aClientId(HOSTILE_ID), metadata: { client_name: HOSTILE_TEXT } }),
  );
  await database.clients.create(aClient({ id: aClientId(DOCUMENT_URL), origin: 'metadata_document' }));
  await storeDocument({ store }, DOCUMENT_URL, {
    validators: {},
    digest: HOSTILE_NAME,
    validatedAt: now,
    freshUntil: after(60),
    withdrawnAt: after(30),
    problem: {
      reason: 'withdrawn',
      description: HOSTILE_TEXT,
      detail: HOSTILE_TEXT,
      at: now,
      retryAt: after(60),
    },
    history: [
      { at: now, event: 'registered', detail: HOSTILE_TEXT },
      { at: now, event: 'refused', detail: HOSTILE_TEXT },
    ],
  });
  for (const [index, seconds] of [-60, 60, 600_000].entries())
    await database.clients.create(
      aClient({
        id: aClientId(`member-${index}`),
        origin: 'federation_explicit',
        metadata: { client_name: HOSTILE_TEXT },
        federation: {
          entityId: `https://member-${index}.example/${'long/'.repeat(40)}`,
          trustAnchor: 'https://anchor.example',
          superior: 'https://superior.example',
          chainExpiresAt: after(seconds),
          statementIssuedAt: now,
          isAddressed: true,
        },
      }),
    );
  await database.federation.deny(
    { entityId: DENIED_ENTITY, reason: HOSTILE_TEXT },
    { actor: 'operator:fixture', now },
  );
  await sql(`UPDATE client SET trust_anchor = $1, superior = $1 WHERE id = 'member-1'`, [HOSTILE_ID]);
}

async function addInitialToken({ store, sql }: Stored, clientId: string): Promise<void> {
  const now = nowSeconds(store.clock);
  const scope = parseScope('client-reg');
  if (scope === undefined) throw new TypeError('not a scope');
  await store.database.initialAccessTokens.insert({
    digest: INITIAL_TOKEN,
    scope,
    audience: [HOSTILE_NAME],
    issuedAt: now,
    expiresAt: epochSeconds(now + 600),
    usesLeft: 2,
    label: HOSTILE_TEXT,
    metadataTemplate: { [HOSTILE_NAME]: HOSTILE_TEXT, policy_uri: 'https://evil.example/policy' },
  });
  await sql(
    `INSERT INTO initial_access_token_use (token_digest, client_id, used_at)
      SELECT $1::bytea, name, now() FROM unnest($2::text[]) AS name`,
    [Buffer.from(INITIAL_TOKEN), [clientId, HOSTILE_ID]],
  );
}

async function addSessions({ store, sql }: Stored, clientId: string): Promise<void> {
  const { providerRecords } = store.database;
  const now = nowSeconds(store.clock);
  for (const [id, subject] of [
    [HOSTILE_NAME, HOSTILE_NAME],
    ['session-of-alice', 'alice'],
    ['session-of-bob', 'bob'],
    ['session-of-carol', 'carol'],
  ] as const)
    await providerRecords.sessions.save(
      {
        id,
        subject,
        // A SHA-256 digest has the form of the keyed ones.
        cookieDigest: sha256(`cookie of ${id}`) as Digest,
        payload: {},
        authenticatedAt: now,
        expiresAt: epochSeconds(now + 600),
        clients: [
          { clientId, sid: `${id} of ${clientId}` },
          { clientId: HOSTILE_ID, sid: `${id} of the other` },
        ],
      },
      now,
    );
  await sql(
    `INSERT INTO logout_delivery (client_id, uri, state, subject, sid, session_id, last_error, last_status, attempts,
        next_attempt_at, created_at, finished_at)
      SELECT $1::text, 'https://app.example/' || $2::text, state, $2, $2, $2, $3::text, 500, 3, $4::timestamptz, $4::timestamptz,
        CASE WHEN state = 'pending' THEN NULL ELSE $4::timestamptz END
      FROM unnest(ARRAY['pending', 'dead', 'delivered']::logout_delivery_state[]) AS state`,
    [HOSTILE_ID, HOSTILE_NAME, HOSTILE_TEXT, new Date(now * 1_000)],
  );
}

/** A key that is no longer used, so that nothing opens it. */
async function addKey({ store }: Stored): Promise<void> {
  const now = nowSeconds(store.clock);
  await store.database.signingKeys.insert({
    kid: HOSTILE_ID,
    keySet: 'federation',
    use: 'sig',
    algorithm: 'ES256',
    state: 'retired',
    publicJwk: { kty: 'EC', kid: HOSTILE_ID, use: HOSTILE_TEXT },
    privateJwkEncrypted: 'v1.none',
    createdAt: epochSeconds(now - 100),
    activatedAt: epochSeconds(now - 90),
    retiredAt: epochSeconds(now - 20),
    expiresAt: epochSeconds(now + 600_000),
  });
}

/** Events about a client, an initial token and a console action, with texts of anyone. */
async function addEvents({ store, sql }: Stored, clientId: string): Promise<void> {
  const change = { before: HOSTILE_TEXT, after: [HOSTILE_TEXT] };
  const details = [
    { changes: { [HOSTILE_NAME]: change, client_name: change, data: {} } },
    { [HOSTILE_NAME]: HOSTILE_TEXT, path: HOSTILE_NAME },
    HOSTILE_TEXT,
  ];
  for (const target of [`client:${clientId}`, `initial_access_token:${INITIAL_TOKEN_ID}`, HOSTILE_NAME])
    for (const each of details)
      await sql(
        `INSERT INTO audit_event (occurred_at, actor, action, target, details)
          VALUES ($1::timestamptz, $2::text, $2, $3, $4::jsonb)`,
        [new Date(store.clock.nowMs()), HOSTILE_NAME, target, JSON.stringify(each)],
      );
}
