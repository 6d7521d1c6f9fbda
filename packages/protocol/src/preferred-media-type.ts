/** A media range (RFC 9110 section 12.5.1). */
const RANGE = /^[ \t]*([!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+)[ \t]*$/i;
const WEIGHT = /^[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*$/i;

/**
 * Selects the media type that an `Accept` header prefers: by weight, then precision, then its position in the header,
 * then in the offers. The first offer is the default, without a header or without a match.
 */
export function preferredMediaType<Type extends string>(
  accept: string | undefined,
  offers: readonly [Type, ...Type[]],
): Type {
  const [fallback, ...others] = offers;
  if (accept === undefined) return fallback;
  const ranges = splitUnquoted(accept, ',').flatMap(parseRange);
  const first = { type: fallback, wish: wishFor(fallback, ranges) };
  const best = others.reduce((leading, type) => {
    const wish = wishFor(type, ranges);
    return isStronger(wish, leading.wish) ? { type, wish } : leading;
  }, first);
  return best.wish.weight === 0 ? fallback : best.type;
}

interface MediaRange {
  readonly range: string;
  readonly weight: number;
}

/** Ignores parameters other than the weight. */
function parseRange(text: string): readonly MediaRange[] {
  const [name = '', ...parameters] = splitUnquoted(text, ';');
  const range = RANGE.exec(name)?.[1];
  if (range === undefined) return [];
  const weight = parameters.find((parameter) => /^[ \t]*q[ \t]*=/i.test(parameter));
  return [{ range: range.toLowerCase(), weight: weight === undefined ? 1 : parseWeight(weight) }];
}

/**
 * Splits a text at a separator outside quoted strings (RFC 9110 section 5.6.4). Returns nothing if a quote is not
 * closed.
 */
function splitUnquoted(text: string, mark: ',' | ';'): readonly string[] {
  if (!text.includes('"')) return text.split(mark);
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted && character === '\\') index += 1;
    else if (!isQuoted && character === mark) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return isQuoted ? parts : [...parts, text.slice(start)];
}

/** A malformed weight counts as zero. */
function parseWeight(text: string): number {
  return Number(WEIGHT.exec(text)?.[1] ?? 0);
}

/** The preference for a media type. */
interface Wish {
  readonly weight: number;
  /** 2 for the type itself, 1 for its main type, 0 for any; -1 if it is not mentioned. */
  readonly precision: number;
  /** Position in the header. */
  readonly position: number;
}

const UNWANTED: Wish = { weight: 0, precision: -1, position: Number.POSITIVE_INFINITY };

/** The most precise matching range decides. */
function wishFor(mediaType: string, ranges: readonly MediaRange[]): Wish {
  const byPrecision = ['*/*', `${mediaType.split('/', 1)[0]}/*`, mediaType];
  return ranges.reduce<Wish>((best, { range, weight }, position) => {
    const precision = byPrecision.indexOf(range);
    return precision > best.precision ? { weight, precision, position } : best;
  }, UNWANTED);
}

function isStronger(one: Wish, other: Wish): boolean {
  if (one.weight !== other.weight) return one.weight > other.weight;
  if (one.precision !== other.precision) return one.precision > other.precision;
  return one.position < other.position;
}
