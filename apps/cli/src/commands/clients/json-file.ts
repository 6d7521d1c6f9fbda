import { isJsonObject, JsonError, type JsonObject, parseJson } from '@vestibule/protocol/json';
import type { Cli } from '../../frame/cli.js';
import { misused } from '../../frame/command-failure.js';
import { readTextFile } from '../../frame/read-file.js';

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
