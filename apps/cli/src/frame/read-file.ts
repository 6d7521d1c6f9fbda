import type { Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isJsonObject, JsonError, type JsonObject, parseJson } from '@vestibule/protocol/json';
import type { Cli } from './cli.js';
import { failed, misused } from './command-failure.js';

/**
 * Opens a file for one operation, which also gets its stats.
 * @throws CommandFailure if it cannot be read
 */
export async function withFile<Result>(
  path: string,
  operate: (file: FileHandle, stats: Stats) => Promise<Result>,
): Promise<Result> {
  const file = await open(path).catch((error: unknown) => {
    throw failed(`The file cannot be read: ${reasonOf(error)}.`, error);
  });
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) throw failed('The file cannot be read: it is a directory.');
    return await operate(file, stats);
  } finally {
    await file.close();
  }
}

/**
 * Reads a text file.
 * @throws CommandFailure if it cannot be read or is larger than `maxBytes`
 */
export function readTextFile(path: string, maxBytes: number): Promise<string> {
  return withFile(path, async (file, { size }) => {
    if (size > maxBytes) throw misused(`The file is larger than ${maxBytes} bytes.`);
    return file.readFile('utf8');
  });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EACCES: 'permission denied',
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return REASONS[code] ?? `the operating system reports ${code}`;
}

/**
 * Reads a stream completely.
 * @throws CommandFailure if it is larger than `maxBytes`
 */
export async function readInput(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > maxBytes) throw misused(`Standard input is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const MAX_BYTES = 262_144;
const LIMITS = { maxDepth: 12, maxMembers: 5_000 };

/**
 * Reads the JSON object in a file, or on standard input for `-`.
 * @throws CommandFailure if it cannot be read, is not a JSON object, or is too large
 */
export async function readJsonFile(cli: Pick<Cli, 'readInput'>, path: string): Promise<JsonObject> {
  const text = path === '-' ? await cli.readInput(MAX_BYTES) : await readTextFile(path, MAX_BYTES);
  try {
    const value = parseJson(text, LIMITS);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw misused(`${error.message}.`);
  }
  throw misused('The input must be a JSON object.');
}
