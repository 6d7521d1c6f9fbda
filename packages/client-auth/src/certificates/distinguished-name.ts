/** An attribute of a name: the object identifier of its type (or the type's name if unknown), and its value. */
interface Attribute {
  readonly type: string;
  readonly value: string;
}

/** The attributes of one relative distinguished name, in any order. */
type RelativeName = readonly Attribute[];

/** A distinguished name from root to leaf, as in certificates (RFC 5280 section 4.1.2.4). */
export type DistinguishedName = readonly RelativeName[];

/**
 * Parses a distinguished name in RFC 4514 notation: leaf first, separated by commas. Spaces around separators, which
 * that notation does not have, are ignored. `undefined` if it is malformed or empty.
 */
export function parseDistinguishedName(text: string): DistinguishedName | undefined {
  return allOf(splitAtUnescaped(text, ',').map(parseRelativeName))?.toReversed();
}

/**
 * Parses the subject of a certificate as Node formats it: root first, one part a line, escaped as in RFC 4514.
 * `undefined` if it has another form.
 */
export function parseCertificateSubject(text: string): DistinguishedName | undefined {
  return text === '' ? [] : allOf(text.split('\n').map(parseRelativeName));
}

/** Whether two names are equal, part by part: types by meaning, values character by character. */
export function isSameName(a: DistinguishedName, b: DistinguishedName): boolean {
  return canonical(a) === canonical(b);
}

function canonical(name: DistinguishedName): string {
  return JSON.stringify(
    name.map((part) => part.map(({ type, value }) => JSON.stringify([type, value])).sort()),
  );
}

function parseRelativeName(text: string): RelativeName | undefined {
  return allOf(splitAtUnescaped(text, '+').map(parseAttribute));
}

const ATTRIBUTE = /^ *([A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)+) *= *((?:\\.|[^\\])*?) *$/su;

function parseAttribute(text: string): Attribute | undefined {
  const [, type, written] = ATTRIBUTE.exec(text) ?? [];
  if (type === undefined || written === undefined) return undefined;
  const value = written.startsWith('#') ? decodeHexValue(written) : unescapeValue(written);
  return value === undefined
    ? undefined
    : { type: TYPES.get(type.toLowerCase()) ?? type.toLowerCase(), value };
}

const VALUE_PIECE = /\\[0-9A-Fa-f]{2}|\\[ "#+,;<=>\\]|[^\\"+,;<>\0]/gsu;

function unescapeValue(written: string): string | undefined {
  const pieces = written.match(VALUE_PIECE) ?? [];
  return pieces.join('') === written ? decodeUtf8(Buffer.concat(pieces.map(bytesOf))) : undefined;
}

function bytesOf(piece: string): Buffer {
  if (piece.length === 3) return Buffer.from(piece.slice(1), 'hex');
  return Buffer.from(piece.length === 2 && piece.startsWith('\\') ? piece.slice(1) : piece);
}

/** Tags of UTF8String, PrintableString and IA5String, which are all UTF-8. */
const TEXT_TAGS: readonly (number | undefined)[] = [0x0c, 0x13, 0x16];

/**
 * Decodes a value written as `#` and the hexadecimal digits of its encoding, which some software uses for unknown
 * types.
 */
function decodeHexValue(written: string): string | undefined {
  const bytes = /^#(?:[0-9A-Fa-f]{2})+$/.test(written)
    ? Buffer.from(written.slice(1), 'hex')
    : Buffer.alloc(0);
  const [tag, length, ...content] = bytes;
  // Longer lengths are encoded differently, and no such value is that long.
  if (!TEXT_TAGS.includes(tag) || length !== content.length || length > 127) return undefined;
  return decodeUtf8(Buffer.from(content));
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function splitAtUnescaped(text: string, separator: ',' | '+'): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === separator) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/** Returns all values, or `undefined` if one is missing. */
function allOf<T>(values: readonly (T | undefined)[]): readonly T[] | undefined {
  const present = values.filter((value) => value !== undefined);
  return present.length === values.length ? present : undefined;
}

/** Object identifiers by the names in RFC 4519, RFC 2985 and common software, in lower case. */
const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '2.5.4.3': ['cn', 'commonname'],
    '2.5.4.4': ['sn', 'surname'],
    '2.5.4.5': ['serialnumber'],
    '2.5.4.6': ['c', 'countryname'],
    '2.5.4.7': ['l', 'localityname'],
    '2.5.4.8': ['st', 'stateorprovincename'],
    '2.5.4.9': ['street', 'streetaddress'],
    '2.5.4.10': ['o', 'organizationname'],
    '2.5.4.11': ['ou', 'organizationalunitname'],
    '2.5.4.12': ['title'],
    '2.5.4.15': ['businesscategory'],
    '2.5.4.17': ['postalcode'],
    '2.5.4.42': ['gn', 'givenname'],
    '2.5.4.97': ['organizationidentifier'],
    '0.9.2342.19200300.100.1.1': ['uid', 'userid'],
    '0.9.2342.19200300.100.1.25': ['dc', 'domaincomponent'],
    '1.2.840.113549.1.9.1': ['emailaddress', 'email', 'e'],
    '1.3.6.1.4.1.311.60.2.1.1': ['jurisdictionl', 'jurisdictionlocalityname'],
    '1.3.6.1.4.1.311.60.2.1.2': ['jurisdictionst', 'jurisdictionstateorprovincename'],
    '1.3.6.1.4.1.311.60.2.1.3': ['jurisdictionc', 'jurisdictioncountryname'],
  }).flatMap(([oid, names]) => names.map((name) => [name, oid] as const)),
);
