import { JsonError, type JsonValue, parseJson } from '@vestibule/protocol/json';
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, parseAllDocuments } from 'yaml';

/** The values in a file, each of which should be a client; or what is wrong with the file. */
export type ParsedFile = { readonly values: readonly JsonValue[] } | { readonly problem: string };

/** Bounds of the JSON of a file. */
const LIMITS = { maxDepth: 16, maxMembers: 200_000 };

/** Maximum number of aliases in a file. */
const MAX_ALIASES = 32;

/** Maximum number of values in a YAML file, each alias counted as what it stands for. */
const MAX_NODES = 400_000;

/** Maximum length of a YAML document as JSON, each alias counted as what it stands for, in UTF-16 code units. */
const MAX_JSON_LENGTH = 4_194_304;

/**
 * Parses a file of clients. A file has one client or a list of them; YAML files may have several documents. Values are
 * those of JSON: YAML is read by its core schema, without tags, merge keys and repeated keys. A file without any
 * value is refused, because it may be one that was not written completely.
 * @param name decides between JSON and YAML
 */
export function parseClientFile(name: string, text: string): ParsedFile {
  try {
    const documents = /\.json$/i.test(name) ? [parseJson(text, LIMITS)] : yamlDocuments(text);
    if (documents.length === 0)
      throw new FileError('has no client: delete the file, or write an empty list into it: []');
    return { values: documents.flatMap((value) => (Array.isArray(value) ? [...value] : [value])) };
  } catch (error) {
    if (error instanceof JsonError || error instanceof FileError) return { problem: error.message };
    // The parser of YAML calls itself for each level.
    if (error instanceof RangeError) return { problem: 'is nested too deeply' };
    throw error;
  }
}

/** The file cannot be read. The message continues a sentence about it and quotes nothing. */
class FileError extends Error {
  override readonly name = 'FileError';
}

function yamlDocuments(text: string): readonly JsonValue[] {
  // Unique keys are checked below: the check of the parser takes quadratic time.
  const documents = parseAllDocuments(text, {
    version: '1.2',
    schema: 'core',
    strict: true,
    uniqueKeys: false,
    resolveKnownTags: false,
    intAsBigInt: true,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const budget = { nodes: MAX_NODES, aliases: MAX_ALIASES };
  return documents.flatMap((document) => {
    refuseErrors(document, text);
    if (document.contents === null) return [];
    const json = JSON.stringify(plainValue(document.contents, { document, budget, depth: 0 }));
    if (json.length > MAX_JSON_LENGTH) throw new FileError('is too large with what its aliases stand for');
    const value = parseJson(json, LIMITS);
    return value === null ? [] : [value];
  });
}

/** Texts of the parser quote the file. */
function refuseErrors({ errors, warnings, directives }: Document.Parsed, text: string): void {
  const [first] = [...errors, ...warnings];
  if (first !== undefined) {
    const line = text.slice(0, first.pos[0]).split('\n').length;
    const reason = first.code === 'TAG_RESOLVE_FAILED' ? 'has a tag' : 'is not valid YAML';
    throw new FileError(`line ${line} ${reason}`);
  }
  if (directives?.yaml.version === '1.1') throw new FileError('must be YAML 1.2');
}

interface Place {
  readonly document: Document.Parsed;
  readonly budget: { nodes: number; aliases: number };
  readonly depth: number;
}

function plainValue(node: unknown, place: Place): unknown {
  const { budget, depth, document } = place;
  budget.nodes -= 1;
  if (budget.nodes < 0) throw new FileError('has too many values');
  if (depth > LIMITS.maxDepth) throw new FileError('is nested too deeply');
  const within = { ...place, depth: depth + 1 };
  if (isAlias(node)) {
    budget.aliases -= 1;
    if (budget.aliases < 0) throw new FileError(`has more than ${MAX_ALIASES} aliases`);
    const target = node.resolve(document);
    if (target === undefined) throw new FileError('has an alias without an anchor');
    return plainValue(target, within);
  }
  if (hasTag(node)) throw new FileError('has a tag');
  if (isSeq(node)) return node.items.map((item) => plainValue(item, within));
  if (isMap(node)) return plainObject(node.items, within);
  return isScalar(node) ? plainScalar(node.value) : null;
}

function plainObject(
  pairs: readonly { readonly key: unknown; readonly value: unknown }[],
  within: Place,
): Readonly<Record<string, unknown>> {
  const members = new Map<string, unknown>();
  for (const { key, value } of pairs) {
    const name = keyOf(key);
    if (name === undefined) throw new FileError('has a key that is not a string');
    if (members.has(name)) throw new FileError('has an object that repeats a key');
    members.set(name, plainValue(value, within));
  }
  return Object.fromEntries(members);
}

/** Whether a node has a tag in the text, be it that of its own type. */
function hasTag(node: unknown): boolean {
  return isNode(node) && 'tag' in node && node.tag !== undefined;
}

function keyOf(key: unknown): string | undefined {
  return isScalar(key) && !hasTag(key) && typeof key.value === 'string' ? key.value : undefined;
}

function plainScalar(value: unknown): unknown {
  if (typeof value === 'bigint') {
    if (Number.isSafeInteger(Number(value))) return Number(value);
    throw new FileError('has a whole number beyond 2^53');
  }
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new FileError('has a number that is not finite');
  if (typeof value === 'object' && value !== null) throw new FileError('has a tag');
  return value;
}
