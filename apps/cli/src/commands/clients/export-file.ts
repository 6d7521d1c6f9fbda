import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { exportEntries } from '@vestibule/clients/import';
import { isJsonObject, JsonError, type JsonValue, parseJson } from '@vestibule/protocol/json';
import { misused } from '../../frame/command-failure.js';
import { readTextFile, withFile } from '../../frame/read-file.js';

/** A client of an export, or the problem of an entry. */
export type ExportEntry = LocatedEntry | { readonly problem: string };

/** A client of an export, with its line number in line-based exports. */
export interface LocatedEntry {
  readonly entry: JsonValue;
  readonly line?: number;
}

/** An export, which can be read once. */
export interface ExportFile {
  readonly entries: AsyncIterable<ExportEntry> | Iterable<ExportEntry>;
  readonly total: number;
}

/**
 * Sufficient for a realm with tens of thousands of clients. Larger exports can have one client per line, which needs
 * the memory of only one client.
 */
const MAX_DOCUMENT_BYTES = 268_435_456;
const DOCUMENT_LIMITS = { maxDepth: 64, maxMembers: 50_000_000 };
const MAX_LINE_CHARACTERS = 1_048_576;
const LINE_LIMITS = { maxDepth: 24, maxMembers: 20_000 };

/**
 * Opens an export: a JSON document, or one client per line (NDJSON), which is read line by line.
 * @throws CommandFailure if it cannot be read, or is a document that is invalid JSON or too large
 */
export async function openExport(path: string): Promise<ExportFile> {
  const { first, size } = await withFile(path, async (file, about) => {
    if (!about.isFile())
      throw misused('The export must be a file, not a pipe, because it is read more than once.');
    return { first: await firstLine(file), size: about.size };
  });
  if (isClientLine(first)) return { entries: lineEntries(path), total: await countLines(path) };
  if (size > MAX_DOCUMENT_BYTES)
    throw misused('The export is larger than 256 MiB: convert it to one client per line (jq -c ".[]").');
  const entries = exportEntries(await readDocument(path)).map((entry) => ({ entry }));
  return { entries, total: entries.length };
}

// If the first line is a complete object, and not itself a list of clients, the file has one client per line.
function isClientLine(line: string): boolean {
  try {
    const value = parseJson(line, LINE_LIMITS);
    return isJsonObject(value) && exportEntries(value)[0] === value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return false;
  }
}

async function firstLine(file: FileHandle): Promise<string> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_LINE_CHARACTERS), 0, MAX_LINE_CHARACTERS, 0);
  return (buffer.toString('utf8', 0, bytesRead).trimStart().split('\n', 1)[0] ?? '').trim();
}

async function readDocument(path: string): Promise<JsonValue> {
  const text = await readTextFile(path, MAX_DOCUMENT_BYTES);
  try {
    return parseJson(text.replace(/^\uFEFF/, ''), DOCUMENT_LIMITS);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw misused(`The export cannot be read: ${error.message}.`);
  }
}

async function* lineEntries(path: string): AsyncGenerator<ExportEntry> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() !== '') yield lineEntry(line, number);
  }
}

function lineEntry(line: string, number: number): ExportEntry {
  if (line.length > MAX_LINE_CHARACTERS) return { problem: `Line ${number} is too long.` };
  try {
    return { entry: parseJson(line, LINE_LIMITS), line: number };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { problem: `Line ${number}: ${error.message}.` };
  }
}

async function countLines(path: string): Promise<number> {
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(path) }))
    if (line.trim() !== '') count += 1;
  return count;
}
