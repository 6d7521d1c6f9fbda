import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  type ColumnType,
  ColumnTypeEnum,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import { migrationConnectTimeoutMs } from '../connect-timeout.js';
import { fromPackage } from '../package-folder.js';
import { PrimaryClient } from '../primary-client.js';
import { readSchema } from './migration-folder.js';
import { runScript } from './run-script.js';

const ENGINE = '@prisma/schema-engine-wasm/schema_engine_bg';
const CHAR_TYPE = 18;
const CHAR_ARRAY_TYPE = 1002;

/** The part of the WebAssembly API that is used here; the types of Node.js do not declare it. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Readonly<Record<string, object>>,
  ): Promise<{ readonly instance: { readonly exports: Readonly<Record<string, unknown>> } }>;
};

let loading: Promise<typeof SchemaEngine> | undefined;

/**
 * Runs an operation of Prisma's schema engine against a database. The engine is WebAssembly and loaded on first use, so
 * that services which do not migrate never load it.
 * @param onRefused called when the database rejects a script, which then had no effect
 */
export async function withSchemaEngine<Result>(
  url: string,
  operate: (engine: SchemaEngine) => Promise<Result>,
  onRefused: () => void = () => undefined,
): Promise<Result> {
  loading ??= loadSchemaEngine();
  const Engine = await loading;
  const pool = new pg.Pool({
    connectionString: url,
    Client: PrimaryClient,
    max: 1,
    connectionTimeoutMillis: migrationConnectTimeoutMs(url),
    application_name: 'vestibule-migrate',
  });
  // The next statement reports a lost connection; without a listener it would end the process.
  pool.on('error', () => undefined);
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(describingAdapter(pool, onRefused));
    const engine = await Engine.new({ datamodels: [await readSchema()] }, () => undefined, adapter);
    try {
      return await operate(engine);
    } finally {
      engine.free();
    }
  } finally {
    await pool.end();
  }
}

/**
 * Creates an adapter that supports PostgreSQL's internal type `char`, which the system catalogs use and Prisma's own
 * adapter refuses. It is passed as its array type, which the catalogs do not use.
 */
function describingAdapter(pool: pg.Pool, onRefused: () => void): SqlMigrationAwareDriverAdapterFactory {
  const query = pool.query.bind(pool);
  const queryDisguised = async (config: pg.QueryArrayConfig) => {
    const result = await query(config);
    for (const field of result.fields) {
      if (field.dataTypeID === CHAR_TYPE) field.dataTypeID = CHAR_ARRAY_TYPE;
    }
    return result;
  };
  const factory = new PrismaPg(Object.assign(pool, { query: queryDisguised }));
  const connectPlainly = factory.connect.bind(factory);
  const connect = async () => {
    const adapter = await connectPlainly();
    const queryRaw = adapter.queryRaw.bind(adapter);
    const queryUndisguised = async (statement: SqlQuery) => {
      const result = await queryRaw(statement);
      return { ...result, columnTypes: result.columnTypes.map(undisguised) };
    };
    // Prisma's adapter splits scripts at every semicolon, even within functions and comments.
    const executeScript = (script: string) => runScript(query, script, { onRefused });
    return Object.assign(adapter, { queryRaw: queryUndisguised, executeScript });
  };
  return Object.assign(factory, { connect });
}

function undisguised(type: ColumnType): ColumnType {
  return type === ColumnTypeEnum.CharacterArray ? ColumnTypeEnum.Character : type;
}

/** Loads the engine. The package is made for bundlers; in Node.js its two halves have to be joined by hand. */
async function loadSchemaEngine(): Promise<typeof SchemaEngine> {
  const file = fromPackage(ENGINE);
  const [glue, bytes] = await Promise.all([
    importAnew<typeof import('@prisma/schema-engine-wasm/schema_engine_bg')>(file),
    readFile(join(dirname(file), 'schema_engine_bg.wasm')),
  ]);
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': imports(glue) });
  glue.__wbg_set_wasm(instance.exports);
  const start = instance.exports['__wbindgen_start'];
  if (typeof start !== 'function') throw new TypeError('the schema engine has no start function');
  start();
  return glue.SchemaEngine;
}

/**
 * Imports the JavaScript half for this copy of the module alone. It keeps views of the memory of the first instance that it
 * got, so that the engine of another copy would read that memory instead of its own, panic, and never respond.
 */
async function importAnew<Module>(file: string): Promise<Module> {
  return import(`${pathToFileURL(file).href}?copy=${randomUUID()}`);
}

/** Builds the imports of the engine. It does not clear its timers, which must not keep the process running. */
function imports(glue: object): Readonly<Record<string, unknown>> {
  const entries = Object.entries(glue).map(([name, member]: [string, unknown]) =>
    name.startsWith('__wbg_setTimeout_') ? [name, startTimer] : [name, member],
  );
  return Object.fromEntries(entries);
}

function startTimer(callback: () => void, delayMs: number): NodeJS.Timeout {
  return setTimeout(callback, delayMs >>> 0).unref();
}
