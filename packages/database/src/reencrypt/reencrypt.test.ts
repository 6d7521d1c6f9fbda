import { randomBytes } from 'node:crypto';
import {
  previousSecretAssociatedData,
  registrationTokenAssociatedData,
  secretAssociatedData,
} from '@vestibule/clients/associated-data';
import { secureRandom } from '@vestibule/crypto';
import {
  type AssociatedData,
  type DataKeys,
  openDataKeys,
  parseKeyEncryptionKeys,
} from '@vestibule/crypto/data-keys';
import { rotateDataKey } from '@vestibule/crypto/testing';
import { frozenClock } from '@vestibule/protocol/testing';
import { cacheTag } from '@vestibule/tokens/cache';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { aDigest, anId, twoProcesses } from '../testing/fixtures.js';
import { holdingLock, holdingRows, query } from '../testing/test-database.js';
import { ENCRYPTED_COLUMNS } from './encrypted-column.js';

/** Reads every encrypted record, with its associated data. */
const RECORDS = `
  SELECT 'client' AS table, 'secret_sealed' AS column, id AS row, secret_sealed AS record FROM client
  UNION ALL SELECT 'client', 'registration_token_sealed', id, registration_token_sealed FROM client
  UNION ALL SELECT 'earlier_client_secret', 'sealed', client_id, sealed FROM earlier_client_secret
  UNION ALL SELECT 'remembered_answer', 'sealed', 'r', sealed FROM remembered_answer
  UNION ALL SELECT 'signing_key', 'private_jwk_sealed', kid, private_jwk_sealed FROM signing_key
  UNION ALL SELECT 'artifact', 'payload', 'a', payload->>'sealed' FROM artifact`;

interface StoredRecord extends AssociatedData {
  readonly record: string | null;
}

const DIGEST = aDigest('x');
const DIGEST_TEXT = Buffer.from(DIGEST).toString('base64url');

/** Builds the associated data from the short names of the statement above. */
function associatedDataOf({ table, column, row }: AssociatedData): AssociatedData {
  const rows: Readonly<Record<string, string>> = { r: DIGEST_TEXT, a: `Code:${DIGEST_TEXT}` };
  return { table, column, row: rows[row] ?? row };
}

/** Two processes on a database with every kind of record, after which the encryption key was changed. */
async function afterRotation(clients = 3) {
  const { url, one, other } = await twoProcesses();
  const clock = frozenClock();
  const keyEncryptionKeys = parseKeyEncryptionKeys(randomBytes(32).toString('base64url'));
  const dependencies = { store: one.dataKeys, keyEncryptionKeys, clock, random: secureRandom };
  const keys = await openDataKeys(dependencies);
  await fill(url, { keys, clients });
  const earlierKeyId = keys.currentDataEncryptionKeyId();
  await rotateDataKey(dependencies, 'seal');
  await keys.refresh();
  const records = async () =>
    (await query<StoredRecord>(url, RECORDS)).filter(
      (row): row is StoredRecord & { record: string } => row.record !== null,
    );
  return {
    url,
    one,
    other,
    keys,
    texts: async () => {
      const opened = (await records()).map((row) => keys.encryptor.open(row.record, associatedDataOf(row)));
      return (await Promise.all(opened)).toSorted();
    },
    underEarlierKey: async () =>
      (await records()).filter(({ record }) => record.startsWith(`v1.${earlierKeyId}.`)).length,
  };
}

async function fill(
  url: string,
  { keys, clients }: { readonly keys: DataKeys; readonly clients: number },
): Promise<void> {
  const { encryptor } = keys;
  for (let number = 0; number < clients; number += 1) {
    const id = anId(`c${number}`);
    await query(
      url,
      `WITH added AS (INSERT INTO client (id, metadata, rights, issued_at, updated_at,
            secret_digest, registration_token_digest, secret_sealed, registration_token_sealed)
          VALUES ($1, '{}', '', now(), now(), sha256('x'), sha256('x'), $2, $3) RETURNING id)
        INSERT INTO earlier_client_secret (client_id, digest, sealed, kept_until)
        SELECT id, sha256('x'), $4, now() FROM added`,
      [
        id,
        await encryptor.encrypt(`secret of ${id}`, secretAssociatedData(id)),
        await encryptor.encrypt(`token of ${id}`, registrationTokenAssociatedData(id)),
        await encryptor.encrypt(`previous secret of ${id}`, previousSecretAssociatedData(id)),
      ],
    );
  }
  await query(
    url,
    `INSERT INTO client (id, metadata, rights, issued_at, updated_at) VALUES ('public', '{}', '', now(), now())`,
  );
  await query(url, 'INSERT INTO remembered_answer (digest, sealed, expires_at) VALUES ($1, $2, now())', [
    DIGEST,
    await encryptor.encrypt('response', { table: 'remembered_answer', column: 'sealed', row: DIGEST_TEXT }),
  ]);
  await query(
    url,
    `INSERT INTO signing_key (kid, key_set, use, algorithm, state, public_jwk, private_jwk_sealed, created_at)
      VALUES ('k', 'provider', 'sig', 'ES256', 'active', '{}', $1, now())`,
    [await encryptor.encrypt('jwk', { table: 'signing_key', column: 'private_jwk_sealed', row: 'k' })],
  );
  const artifact = { table: 'artifact', column: 'payload', row: `Code:${DIGEST_TEXT}` };
  await query(
    url,
    `INSERT INTO artifact (kind, digest, payload) VALUES ('Code', $1, $2), ('Plain', $1, '{"kept":true}')`,
    [DIGEST, { sealed: await encryptor.encrypt('payload', artifact), kept: true }],
  );
}

describe('re-encryption', () => {
  it('covers every column whose name contains "sealed"', async () => {
    const { url } = await twoProcesses();
    const named = await query<{ name: string }>(
      url,
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
        WHERE table_schema = current_schema() AND column_name ~ '(^|_)sealed$' ORDER BY 1`,
    );
    const known = ENCRYPTED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
    expect(known).toEqual(expect.arrayContaining(named.map(({ name }) => name)));
    expect(known).toHaveLength(named.length + 1);
  });

  it.each([1, 2, 500])(
    'encrypts every value with the current key and changes no plaintext, %i rows at a time',
    async (batchSize) => {
      const { one, keys, texts, underEarlierKey, url } = await afterRotation();
      const before = await texts();
      const plan = { reencrypted: 0, left: 12, unreadable: 0 };
      expect(await one.reencrypt(keys, { batchSize, isPlan: true })).toEqual(plan);
      expect(await underEarlierKey()).toBe(12);
      expect(await one.reencrypt(keys, { batchSize })).toEqual({ reencrypted: 12, left: 0, unreadable: 0 });
      expect(await underEarlierKey()).toBe(0);
      expect(await texts()).toEqual(before);
      const payloads = await query<{ payload: object }>(url, 'SELECT payload FROM artifact ORDER BY kind');
      expect(payloads).toEqual([
        { payload: { kept: true, sealed: expect.any(String) } },
        { payload: { kept: true } },
      ]);
      const nothing = { reencrypted: 0, left: 0, unreadable: 0 };
      expect(await one.reencrypt(keys, { batchSize })).toEqual(nothing);
    },
  );

  it('skips locked rows, and finds them in the next run', async () => {
    const { url, one, keys, underEarlierKey } = await afterRotation();
    const run = () => one.reencrypt(keys);
    const held = await holdingRows(url, `SELECT FROM client WHERE id = 'c1'`, run);
    expect(held).toEqual({ reencrypted: 10, left: 2, unreadable: 0 });
    expect(await underEarlierKey()).toBe(2);
    expect(await run()).toEqual({ reencrypted: 2, left: 0, unreadable: 0 });
  });

  it('does not conflict with sessions that only refer to a row, such as issuing a token', async () => {
    const { url, one, keys } = await afterRotation();
    const referring = `SELECT FROM client WHERE id = 'c1' FOR KEY SHARE`;
    const report = await holdingLock(url, referring, () => one.reencrypt(keys));
    expect(report).toEqual({ reencrypted: 12, left: 0, unreadable: 0 });
  });

  it('does not undo a change that was made after a row was read', async () => {
    const { url, one, keys } = await afterRotation();
    const changed = await keys.encryptor.encrypt('new secret', secretAssociatedData(anId('c1')));
    const encryptor: DataKeys['encryptor'] = {
      open: keys.encryptor.open,
      encrypt: async (text, associatedData) => {
        if (text === 'secret of c1')
          await query(url, `UPDATE client SET secret_sealed = $1 WHERE id = 'c1'`, [changed]);
        return keys.encryptor.encrypt(text, associatedData);
      },
    };
    expect(await one.reencrypt({ ...keys, encryptor })).toEqual({ reencrypted: 11, left: 1, unreadable: 0 });
    const [row] = await query<{ secret_sealed: string }>(
      url,
      `SELECT secret_sealed FROM client WHERE id = 'c1'`,
    );
    expect(row?.secret_sealed).toBe(changed);
  });

  it('leaves unreadable records unchanged, and reports them', async () => {
    const { url, one, keys } = await afterRotation();
    for (const record of ['', 'x', 'v1.unknown.a.b.c']) {
      await query(url, `UPDATE client SET secret_sealed = $1 WHERE id = 'c2'`, [record]);
      expect(await one.reencrypt(keys)).toMatchObject({ left: 1, unreadable: 1 });
      const [row] = await query<{ secret_sealed: string }>(
        url,
        `SELECT secret_sealed FROM client WHERE id = 'c2'`,
      );
      expect(row?.secret_sealed).toBe(record);
    }
  });

  it('continues where it was stopped, and keeps the records that were re-encrypted before', async () => {
    const { one, other, keys, texts, underEarlierKey } = await afterRotation();
    const before = await texts();
    const stop = new AbortController();
    let count = 0;
    const encryptor: DataKeys['encryptor'] = {
      open: keys.encryptor.open,
      encrypt: async (text, associatedData) => {
        count += 1;
        if (count === 5) stop.abort(new Error('stopped'));
        return keys.encryptor.encrypt(text, associatedData);
      },
    };
    const stopped = one.reencrypt({ ...keys, encryptor }, { batchSize: 1, signal: stop.signal });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await underEarlierKey()).toBe(7);
    expect(await other.reencrypt(keys)).toEqual({ reencrypted: 7, left: 0, unreadable: 0 });
    expect(await texts()).toEqual(before);
  });

  it('re-encrypts each record once when several processes run at the same time', async () => {
    const { one, other, keys, texts, underEarlierKey } = await afterRotation(20);
    const before = await texts();
    const reports = await Promise.all(
      [one, other, one, other].map((each) => each.reencrypt(keys, { batchSize: 7 })),
    );
    expect(reports.reduce((sum, { reencrypted }) => sum + reencrypted, 0)).toBe(63);
    expect(await underEarlierKey()).toBe(0);
    expect(await texts()).toEqual(before);
  });

  it('invalidates cached clients whose encrypted secret has changed', async () => {
    const { one, other, keys } = await afterRotation();
    const names: string[] = [];
    const stream = other.openInvalidationStream({
      monotonic: () => performance.now(),
      onProblem: () => undefined,
    });
    onTestFinished(stream.close);
    await new Promise<void>((resolve) => {
      stream.subscribe({
        onStarted: resolve,
        onInvalidation: (heard) => names.push(...(heard.kind === 'entities' ? heard.tags : [])),
        onAdvanced: () => undefined,
        onLost: () => undefined,
      });
    });
    await one.reencrypt(keys);
    await vi.waitUntil(stream.catchUp, 60_000);
    const clients = ['c0', 'c1', 'c2'].map((id) => cacheTag('client', id));
    expect(names).toEqual(expect.arrayContaining(clients));
    expect(names).not.toContain(cacheTag('client', 'public'));
  });
});
