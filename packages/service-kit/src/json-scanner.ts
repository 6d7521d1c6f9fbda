import { isCleanProse } from './clean-text.js';

/** What a JSON text may hold at most, whatever it means. */
export interface JsonLimits {
  /** Levels of objects and arrays within each other. */
  readonly maxDepth: number;
  /** Members of all objects together. */
  readonly maxMembers: number;
  /** Elements of one array. */
  readonly maxElements: number;
  /** Bytes of one string or member name in UTF-8. */
  readonly maxStringBytes: number;
}

/** Limits for client metadata and everything smaller. */
export const DEFAULT_JSON_LIMITS: JsonLimits = {
  maxDepth: 16,
  maxMembers: 500,
  maxElements: 100,
  maxStringBytes: 16_384,
};

/** An open object or array. */
interface Frame {
  /** The names seen so far; `undefined` in an array. */
  readonly names: Set<string> | undefined;
  /** Whether the object is the value of a member named `constructor`. */
  readonly isConstructor: boolean;
  commas: number;
}

interface Scan {
  readonly text: string;
  readonly limits: JsonLimits;
  readonly frames: Frame[];
  position: number;
  members: number;
  nameExpected: boolean;
  /** The name whose value comes next. */
  pendingName: string;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const NUMBER = /[-+.0-9eE]+/y;

/**
 * Looks through a JSON text before anything recurses into it: depth, sizes, repeated member names, `__proto__` and
 * `constructor.prototype`, numbers that are not finite, control characters and lone surrogates in strings. One pass,
 * no recursion. It is no parser: what it lets pass may still not be JSON, but what `JSON.parse` then makes of it keeps
 * all of these rules.
 * @returns a public sentence about the first thing that is wrong, or `undefined`
 */
export function findJsonProblem(text: string, limits: JsonLimits): string | undefined {
  const scan: Scan = {
    text,
    limits,
    frames: [],
    position: 0,
    members: 0,
    nameExpected: false,
    pendingName: '',
  };
  while (scan.position < text.length) {
    const problem = step(scan);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function step(scan: Scan): string | undefined {
  const code = scan.text.charCodeAt(scan.position);
  if (code === QUOTE) return string(scan);
  if (code === MINUS || (code >= ZERO && code <= NINE)) return number(scan);
  scan.position += 1;
  if (code === OPEN_OBJECT || code === OPEN_ARRAY) return open(scan, code === OPEN_OBJECT);
  if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) return close(scan);
  if (code === COMMA) return comma(scan);
  return undefined;
}

function open(scan: Scan, isObject: boolean): string | undefined {
  if (scan.frames.length >= scan.limits.maxDepth) return 'The JSON text is nested too deeply';
  scan.frames.push({
    names: isObject ? new Set() : undefined,
    isConstructor: isObject && scan.pendingName === 'constructor',
    commas: 0,
  });
  scan.nameExpected = isObject;
  scan.pendingName = '';
  return undefined;
}

function close(scan: Scan): string | undefined {
  scan.nameExpected = false;
  return scan.frames.pop() === undefined ? 'The body is not valid JSON' : undefined;
}

function comma(scan: Scan): string | undefined {
  const frame = scan.frames.at(-1);
  if (frame === undefined) return 'The body is not valid JSON';
  scan.nameExpected = frame.names !== undefined;
  scan.pendingName = '';
  frame.commas += 1;
  const isFull = frame.names === undefined && frame.commas >= scan.limits.maxElements;
  return isFull ? 'An array in the JSON text is too long' : undefined;
}

function string(scan: Scan): string | undefined {
  const start = scan.position;
  const end = endOfString(scan.text, start);
  if (end === -1) return 'The body is not valid JSON';
  scan.position = end + 1;
  const value = decodeString(scan.text.slice(start, end + 1));
  if (value === undefined) return 'The body is not valid JSON';
  if (!isCleanProse(value))
    return 'A string in the JSON text holds a control character or a broken character';
  if (Buffer.byteLength(value) > scan.limits.maxStringBytes) return 'A string in the JSON text is too long';
  return scan.nameExpected ? name(scan, value) : undefined;
}

function name(scan: Scan, value: string): string | undefined {
  const frame = scan.frames.at(-1);
  scan.nameExpected = false;
  scan.pendingName = value;
  scan.members += 1;
  if (scan.members > scan.limits.maxMembers) return 'The JSON text has too many members';
  if (value === '__proto__' || (value === 'prototype' && frame?.isConstructor === true)) {
    return 'The JSON text uses a reserved member name';
  }
  if (frame?.names?.has(value)) return 'The JSON text repeats a member name';
  frame?.names?.add(value);
  return undefined;
}

function number(scan: Scan): string | undefined {
  NUMBER.lastIndex = scan.position;
  const digits = NUMBER.exec(scan.text)?.[0] ?? '';
  scan.position += digits.length;
  return Number.isFinite(Number(digits)) ? undefined : 'A number in the JSON text is not usable';
}

/** The position of the quote that ends the string, or -1. Each backslash is looked at once. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote;
}

function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charCodeAt(first - 1) === 0x5c) first -= 1;
  return (quote - first) % 2 === 1;
}

function decodeString(literal: string): string | undefined {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    const value: unknown = JSON.parse(literal);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
