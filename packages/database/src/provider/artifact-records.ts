import type { ProviderPayload, ProviderRecords } from '@vestibule/tokens/provider';
import { digestOf } from '../column-values.js';
import { ignoreForeignKeyViolation } from '../database-errors.js';
import type { RunStatement, Statement } from '../statement.js';
import { recordFromRow, STORED_COLUMNS, type StoredRow } from './stored-row.js';

const ALIVE = '(expires_at IS NULL OR expires_at > to_timestamp($3))';

/**
 * The statements for artifacts. By hand, because each request for a token needs them, and saving and keeping the first
 * are atomic statements.
 */
export const ARTIFACT_RECORD_STATEMENTS = {
  save: {
    name: 'provider-artifact-save',
    // Also replaces a record under another digest key, so that there is always one record.
    text: `WITH replaced AS (
        DELETE FROM artifact WHERE kind = $1 AND digest = ANY($8::bytea[]) AND digest <> $2 RETURNING consumed_at
      )
      INSERT INTO artifact
        (kind, digest, payload, uid, user_code, authorization_id, expires_at, client_id, consumed_at)
      VALUES ($1, $2, $3, $4, $5, $6, to_timestamp($7), $9, (SELECT max(consumed_at) FROM replaced))
      ON CONFLICT (kind, digest) DO UPDATE SET payload = EXCLUDED.payload, uid = EXCLUDED.uid,
        user_code = EXCLUDED.user_code, authorization_id = EXCLUDED.authorization_id,
        expires_at = EXCLUDED.expires_at, client_id = EXCLUDED.client_id`,
    repeatable: true,
  },
  find: findBy('digest', 'digest = ANY($2::bytea[])'),
  findByUid: findBy('uid', 'uid = ANY($2::text[])'),
  findByUserCode: findBy('user-code', 'user_code = ANY($2::text[])'),
  // Not repeatable, because an attempt without a response may have consumed it.
  consume: {
    name: 'provider-artifact-consume',
    text: `UPDATE artifact SET consumed_at = to_timestamp($3)
      WHERE kind = $1 AND digest = ANY($2::bytea[]) AND consumed_at IS NULL AND ${ALIVE}
      RETURNING digest`,
    repeatable: false,
  },
  destroy: {
    name: 'provider-artifact-destroy',
    text: 'DELETE FROM artifact WHERE kind = $1 AND digest = ANY($2::bytea[])',
    repeatable: true,
  },
  // The update changes nothing; it returns the existing row.
  insertIfAbsent: {
    name: 'provider-artifact-keep-first',
    text: `INSERT INTO artifact (kind, digest, payload) VALUES ($1, $2, $3)
      ON CONFLICT (kind, digest) DO UPDATE SET kind = EXCLUDED.kind
      RETURNING payload`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

interface ArtifactRow extends StoredRow {
  readonly digest: Uint8Array;
}

/** Creates the store of artifacts (codes, interactions, pushed requests and so on) in Postgres. */
export function artifactRecords(run: RunStatement): ProviderRecords['artifacts'] {
  const found = async (statement: Statement, values: readonly unknown[]) => {
    const [row] = (await run<ArtifactRow>(statement, values)).rows;
    const kept = recordFromRow(row);
    return row && kept && { ...kept, digest: digestOf(row.digest) };
  };
  const { save, find, findByUid, findByUserCode, consume, destroy, insertIfAbsent } =
    ARTIFACT_RECORD_STATEMENTS;
  return {
    save: async (artifact, digests) => {
      const { kind, digest, payload, uid, userCode, authorizationId, expiresAt, clientId } = artifact;
      const columns = [kind, digest, payload, uid, userCode, authorizationId, expiresAt, digests, clientId];
      await ignoreForeignKeyViolation(run(save, columns));
    },
    find: (kind, digests, now) => found(find, [kind, digests, now]),
    findByUid: (kind, uids, now) => found(findByUid, [kind, uids, now]),
    findByUserCode: (kind, userCodes, now) => found(findByUserCode, [kind, userCodes, now]),
    consume: async (kind, digests, now) => (await run(consume, [kind, digests, now])).rowCount > 0,
    destroy: async (kind, digests) => {
      await run(destroy, [kind, digests]);
    },
    insertIfAbsent: async (kind, digest, payload) => {
      const [row] = (await run<{ payload: ProviderPayload }>(insertIfAbsent, [kind, digest, payload])).rows;
      return row?.payload ?? payload;
    },
  };
}

function findBy(name: string, condition: string): Statement {
  return {
    name: `provider-artifact-find-${name}`,
    text: `SELECT digest, ${STORED_COLUMNS} FROM artifact WHERE kind = $1 AND ${condition} AND ${ALIVE} LIMIT 1`,
    repeatable: true,
  };
}
