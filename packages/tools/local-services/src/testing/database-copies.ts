import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createDatabase, dropDatabase } from '../database-administration.js';
import { endKeptConnections, KEPT_CONNECTION, runSql } from './kept-connections.js';

/** The template of the copies. */
export interface DatabaseTemplate {
  /** A superuser's connection URL of the server. */
  readonly server: string;
  /** The database to copy; it must have no connections. */
  readonly name: string;
  /** Its tables with rows; all others are empty. */
  readonly filled: readonly string[];
}

/** A database that no other test uses. */
export interface LentDatabase {
  readonly url: string;
  /** Closes its connections, and empties it for the next borrower. */
  giveBack(): Promise<void>;
}

interface Copy {
  readonly name: string;
  readonly url: string;
  /** The schema of the template. */
  readonly schema: string;
}

/** In seconds. On a machine busy with tests, connecting may take longer than the default. */
const CONNECT_TIMEOUT = '30';

/** Emptying a larger copy is not worthwhile. */
const MAX_BYTES = 4_000_000;

const idle = new Map<string, Copy[]>();

/**
 * Lends a copy of a template: a returned one if available, because emptying a database costs a small part of creating
 * one. A copy whose schema was changed is not lent again.
 */
export async function lendDatabase(template: DatabaseTemplate): Promise<LentDatabase> {
  const key = `${template.server} ${template.name}`;
  const free = idle.get(key) ?? [];
  idle.set(key, free);
  const copy = free.pop() ?? (await makeCopy(template));
  const giveBack = async () => {
    if (await emptied(copy, template.filled)) {
      free.push(copy);
      return;
    }
    await endKeptConnections(copy.url);
    await dropDatabase(template.server, copy.name);
  };
  return { url: copy.url, giveBack };
}

async function makeCopy(template: DatabaseTemplate): Promise<Copy> {
  const name = `copy_${randomBytes(8).toString('hex')}`;
  await createDatabase({ url: template.server, name, template: template.name, strategy: 'file_copy' });
  const address = Object.assign(new URL(template.server), { pathname: `/${name}` });
  address.searchParams.set('connect_timeout', CONNECT_TIMEOUT);
  const url = address.href;
  return { name, url, schema: (await look(url)).schema };
}

/** Closes the connections of a copy and empties its tables, unless it no longer matches the template. */
async function emptied(copy: Copy, filled: readonly string[]): Promise<boolean> {
  await runSql(
    copy.url,
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
      WHERE datname = current_database() AND (application_name <> $1 OR usename <> current_user)`,
    [KEPT_CONNECTION],
  );
  const { schema, bytes, used } = await look(copy.url);
  if (schema !== copy.schema || bytes > MAX_BYTES) return false;
  const deletions = used
    .filter((table) => !filled.includes(table))
    .map((table) => `DELETE FROM ${pg.escapeIdentifier(table)};`);
  // As a replica, so that no trigger sends an event or forbids it.
  await runSql(
    copy.url,
    `BEGIN; SET LOCAL session_replication_role = replica; ${deletions.join(' ')} COMMIT`,
  );
  return true;
}

interface Look {
  /** Differs when an object of the schema was added, dropped or replaced. */
  readonly schema: string;
  /** The size of the tables. */
  readonly bytes: number;
  /** The tables that have had rows. */
  readonly used: readonly string[];
}

async function look(url: string): Promise<Look> {
  const [found] = await runSql<Look & pg.QueryResultRow>(url, LOOK);
  if (found === undefined) throw new Error('the catalogue returned no row');
  return found;
}

const LOOK = `
  WITH relation AS (SELECT * FROM pg_class WHERE relnamespace = 'public'::regnamespace)
  SELECT
    concat_ws(' ',
      (SELECT string_agg(concat(oid, relname), ',' ORDER BY oid) FROM relation),
      (SELECT string_agg(concat(attrelid, '.', attnum, attname, attisdropped), ',' ORDER BY attrelid, attnum)
         FROM pg_attribute WHERE attrelid IN (SELECT oid FROM relation)),
      (SELECT string_agg(concat(oid, tgenabled), ',' ORDER BY oid) FROM pg_trigger),
      (SELECT string_agg(concat(oid, md5(prosrc)), ',' ORDER BY oid)
         FROM pg_proc WHERE pronamespace = 'public'::regnamespace)
    ) AS schema,
    (SELECT coalesce(sum(pg_relation_size(oid)), 0)::int FROM relation WHERE relkind = 'r') AS bytes,
    (SELECT coalesce(json_agg(relname ORDER BY oid), '[]') FROM relation
      WHERE relkind = 'r' AND pg_relation_size(oid) > 0) AS used`;
