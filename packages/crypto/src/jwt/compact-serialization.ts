import {
  isJsonObject,
  type JsonLimits,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '@vestibule/protocol/json';
import { decodeBase64url } from './decode-base64url.js';
import { JoseFailure } from './jose-failure.js';

/** A JOSE header whose registered members have the right types, not verified. */
export interface JoseHeader {
  readonly alg: string;
  /** At most 256 characters. */
  readonly kid: string | undefined;
  readonly typ: string | undefined;
  /** Every member as received. */
  readonly members: JsonObject;
}

/** Maximum length of a key identifier, in characters. */
const MAX_KID_LENGTH = 256;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const HEADER_LIMITS = { maxDepth: 8, maxMembers: 64 };
const CLAIMS_LIMITS = { maxDepth: 16, maxMembers: 1000 };

/** The parts of a signed token. */
export interface DecodedJws {
  readonly header: JoseHeader;
  readonly payload: Uint8Array;
  /** The signed bytes: header and payload as received. */
  readonly signingInput: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * Parses a signed token in compact serialization (RFC 7515 section 3.1). Only its canonical spelling is accepted: no
 * padding, white space, stray bits, or JSON serialization.
 * @throws JoseFailure `too_long` or `malformed`.
 */
export function decodeJws(token: string, maxLength: number): DecodedJws {
  const [header, payload, signature, ...rest] = splitCompact(token, maxLength);
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0)
    throw new JoseFailure('malformed', 'token is not in compact serialization');
  const signingInput = Buffer.from(token.slice(0, token.lastIndexOf('.')), 'latin1');
  return { header: decodeHeader(header), payload, signingInput, signature };
}

/**
 * Parses the header of an encrypted token in compact serialization (RFC 7516 section 3.1), under the same rules.
 * @throws JoseFailure `too_long` or `malformed`.
 */
export function decodeJweHeader(token: string, maxLength: number): JoseHeader {
  const [header, ...others] = splitCompact(token, maxLength);
  if (header === undefined || others.length !== 4 || others.includes(undefined))
    throw new JoseFailure('malformed', 'token is not in compact serialization');
  return decodeHeader(header);
}

/** Decodes the parts of a token, up to one more than any token has, to detect a surplus. */
function splitCompact(token: string, maxLength: number): readonly (Uint8Array | undefined)[] {
  if (token.length > maxLength) throw new JoseFailure('too_long', 'token is too long');
  return token.split('.', 6).map(decodeBase64url);
}

/** Refuses headers that change the processing: `crit`, `b64` and `zip`. */
function decodeHeader(bytes: Uint8Array): JoseHeader {
  const header = decodeJsonObject(bytes, HEADER_LIMITS);
  const { alg, kid, typ } = header;
  if (typeof alg !== 'string') throw new JoseFailure('malformed', 'header has no alg');
  if (kid !== undefined && (typeof kid !== 'string' || kid.length > MAX_KID_LENGTH))
    throw new JoseFailure('malformed', 'kid is not a short text');
  if (typ !== undefined && typeof typ !== 'string') throw new JoseFailure('malformed', 'typ is not a text');
  if (['crit', 'b64', 'zip'].some((name) => Object.hasOwn(header, name)))
    throw new JoseFailure('malformed', 'header requires unsupported processing');
  return { alg, kid, typ, members: header };
}

/**
 * Parses the claims of a token.
 * @throws JoseFailure `malformed`.
 */
export function decodeClaims(bytes: Uint8Array): JsonObject {
  return decodeJsonObject(bytes, CLAIMS_LIMITS);
}

/**
 * Decodes UTF-8.
 * @throws JoseFailure `malformed` when it is invalid.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new JoseFailure('malformed', 'not UTF-8');
  }
}

function decodeJsonObject(bytes: Uint8Array, limits: JsonLimits): JsonObject {
  const text = decodeUtf8(bytes);
  const value = parseJsonOrFail(text, limits);
  if (!isJsonObject(value)) throw new JoseFailure('malformed', 'not a JSON object');
  return value;
}

function parseJsonOrFail(text: string, limits: JsonLimits): JsonValue {
  try {
    return parseJson(text, limits);
  } catch (cause) {
    throw new JoseFailure('malformed', 'not acceptable JSON', cause);
  }
}
