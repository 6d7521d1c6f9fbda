import { open } from 'node:fs/promises';
import { isJsonObject, JsonError, type JsonObject, parseJson } from '@vestibule/protocol';
import type { Cli } from '../../frame/cli.js';
import { failed, misused } from '../../frame/command-failure.js';

const MAX_BYTES = 262_144;
const LIMITS = { maxDepth: 12, maxMembers: 5_000 };

/**
 * The JSON object in a file, or on standard input for `-`.
 * @throws CommandFailure when it cannot be read, or is no JSON object of bearable size
 */
export async function readJsonFile(cli: Pick<Cli, 'readInput'>, path: string): Promise<JsonObject> {
  const text = path === '-' ? await cli.readInput(MAX_BYTES) : await readText(path);
  try {
    const value = parseJson(text, LIMITS);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw misused(`${error.message}.`);
  }
  throw misused('The JSON text is no object.');
}

async function readText(path: string): Promise<string> {
  const file = await open(path).catch((error: unknown) => {
    throw failed('The file cannot be read.', error);
  });
  try {
    const { size } = await file.stat();
    if (size > MAX_BYTES) throw misused(`The file holds more than ${MAX_BYTES} bytes.`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
