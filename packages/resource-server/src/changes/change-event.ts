import {
  isJsonObject,
  JsonError,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '@vestibule/protocol/json';
import { type CacheTag, parseCacheTags } from './cache-tag.js';
import type { StreamEvent } from './event-stream-parser.js';
import { parsePositionNumber, parseStreamPosition, type StreamPosition } from './stream-position.js';

/** What an event says: everything below its position has been sent. */
interface Watermark {
  readonly position: StreamPosition;
  /** When that was true, in milliseconds on the clock of `open`; `undefined` if the server does not say. */
  readonly timeMs: number | undefined;
}

/** An event of the stream of changes. */
export type ChangeEvent =
  /** The first event of a connection, with the time of the server. */
  | { readonly kind: 'open'; readonly timeMs: number }
  /** Everything is to be discarded. Only responses with a number above `at` reflect every earlier change. */
  | ({ readonly kind: 'reset'; readonly at: bigint } & Watermark)
  /** Responses with one of the tags and a number of at most `at` are outdated. */
  | ({ readonly kind: 'invalidate'; readonly tags: readonly CacheTag[]; readonly at: bigint } & Watermark)
  | ({ readonly kind: 'heartbeat' } & Watermark)
  /** An event that this version does not know. */
  | { readonly kind: 'unknown' };

/** Limits of the data of an event, in characters, and of its tags. */
export const EVENT_LIMITS = { maxLineLength: 262_144, maxDataLength: 262_144, maxTags: 5_000 };

const JSON_LIMITS = { maxDepth: 4, maxMembers: 32 };

/** Parses an event; `undefined` if it is not one of the stream of changes. */
export function parseChangeEvent({ event, data, id }: StreamEvent): ChangeEvent | undefined {
  if (!KNOWN.has(event)) return { kind: 'unknown' };
  const members = membersOf(data);
  if (members === undefined) return undefined;
  const timeMs = timeOf(members['time']);
  if (event === 'open') return timeMs === undefined ? { kind: 'unknown' } : { kind: 'open', timeMs };
  const position = parseStreamPosition(id);
  if (position === undefined) return undefined;
  const at = numberOf(members['at']);
  if (event === 'heartbeat') return { kind: 'heartbeat', position, timeMs };
  if (event === 'reset') return { kind: 'reset', at: at ?? position.number - 1n, position, timeMs };
  const tags = tagsOf(members['tags']);
  return at === undefined || tags === undefined
    ? undefined
    : { kind: 'invalidate', tags, at, position, timeMs };
}

const KNOWN: ReadonlySet<string> = new Set(['open', 'reset', 'invalidate', 'heartbeat']);

function membersOf(data: string): JsonObject | undefined {
  try {
    const value = parseJson(data, JSON_LIMITS);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

function timeOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

/** A number is text, because it may exceed what JSON numbers hold. */
function numberOf(value: JsonValue | undefined): bigint | undefined {
  return typeof value === 'string' ? parsePositionNumber(value) : undefined;
}

function tagsOf(value: JsonValue | undefined): readonly CacheTag[] | undefined {
  if (!Array.isArray(value) || value.length > EVENT_LIMITS.maxTags) return undefined;
  return parseCacheTags(value);
}
