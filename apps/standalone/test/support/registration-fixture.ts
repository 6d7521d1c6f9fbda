import { createHash, randomBytes } from 'node:crypto';
import { randomAlphanumeric, secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { openStore } from '@vestibule/database';
import { foreignSql, type Sql } from '@vestibule/local-services/testing';
import { systemClock } from '@vestibule/protocol';
import { createTestDatabase, noteSecret } from '@vestibule/testkit';
import { onTestFinished } from 'vitest';
import { type HoldingProxy, holdingProxy } from './holding-proxy.js';
import { patientAddress } from './patient-address.js';
import { type RegistrationProcess, startRegistration } from './registration-process.js';

/** The master token of the fixture. */
export const MASTER: string = randomBytes(32).toString('hex');

const ISSUER = 'https://as.example';

/** The registration service as separate processes, one after the other, over a database behind a proxy. */
export interface RegistrationFixture {
  readonly proxy: HoldingProxy;
  /** A separate connection to the database. */
  readonly sql: Sql;
  /** Another connection of the same kind. */
  readonly otherSql: Sql;
  /** Starts a process and waits until it is ready. */
  start(): Promise<RegistrationProcess>;
  /** Issues an initial access token with unlimited scopes for one registration. */
  issue(): Promise<InitialToken>;
}

/** An initial access token in clear, and its stored form. */
export interface InitialToken {
  readonly value: string;
  readonly digest: Uint8Array;
}

/** Creates the fixture for one test. */
export async function registrationFixture(): Promise<RegistrationFixture> {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const proxy = await holdingProxy(url);
  const encryptionKeys = randomBytes(32).toString('base64url');
  const { digester, opened, close } = openStore({
    connection: { url },
    keyEncryptionKeys: parseKeyEncryptionKeys(encryptionKeys),
    clock: systemClock,
    random: secureRandom,
    onProblem: () => undefined,
  });
  onTestFinished(close);
  await opened;
  const sql = await foreignSql(url);
  const settings = {
    BASE_URL: ISSUER,
    DATABASE_URL: patientAddress(proxy.url),
    ENCRYPTION_KEYS: encryptionKeys,
    MASTER_TOKEN_SHA256: createHash('sha256').update(MASTER).digest('hex'),
    LOG_LEVEL: 'fatal',
  };
  return {
    proxy,
    sql,
    otherSql: await foreignSql(url),
    start: async () => {
      const service = await startRegistration(settings);
      onTestFinished(service.kill);
      return service;
    },
    issue: async () => {
      const value = randomAlphanumeric(43, secureRandom);
      noteSecret('initial access token', value);
      const digest = digester.digest('initial-access-token', value);
      await sql(
        `INSERT INTO initial_access_token (digest, scope, audience, issued_at, expires_at, uses_left)
          VALUES ($1, 'client-reg', ARRAY[$2], now(), now() + interval '1 hour', 1)`,
        [digest, ISSUER],
      );
      return { value, digest };
    },
  };
}
