import { MEDIA_TYPE } from '@vestibule/protocol';

/**
 * How an introspection answer is written: as JSON (RFC 7662), as a JWT that holds it (RFC 9701 section 5), or as a JWT
 * that is it (Seed 2.4, the legacy form).
 */
export type IntrospectionFormat = 'json' | 'jwt' | 'legacy-jwt';

/** A media range (RFC 9110 section 12.5.1); parameters but the weight are passed over. */
const RANGE = /^[ \t]*([!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+)[ \t]*((?:;[^;]*)*)$/i;
const WEIGHT = /^[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*$/i;

const MEDIA_TYPES: Readonly<Record<IntrospectionFormat, string>> = {
  json: MEDIA_TYPE.json,
  jwt: MEDIA_TYPE.tokenIntrospectionJwt,
  'legacy-jwt': MEDIA_TYPE.jwt,
};

/** In the order in which they win among equals. */
const FORMATS = ['json', 'jwt', 'legacy-jwt'] as const satisfies readonly IntrospectionFormat[];

/**
 * The format that an `Accept` header asks for: of the highest weight, then named the most precisely, then named first.
 * JSON is the answer to everything else: to no header, and to wishes that no format fulfils.
 */
export function introspectionFormat(accept: string | undefined): IntrospectionFormat {
  // What nearly every caller sends costs no more than these.
  if (accept === undefined || accept === '*/*' || accept === MEDIA_TYPE.json) return 'json';
  const ranges = accept.split(',').flatMap(parseRange);
  const [first, ...others] = FORMATS.map((format) => ({ format, ...wishFor(MEDIA_TYPES[format], ranges) }));
  const best = others.reduce<(Wish & { format: IntrospectionFormat }) | undefined>(
    (leading, other) => (leading === undefined || isStronger(other, leading) ? other : leading),
    first,
  );
  return best === undefined || best.weight === 0 ? 'json' : best.format;
}

interface MediaRange {
  readonly range: string;
  readonly weight: number;
}

function parseRange(text: string): readonly MediaRange[] {
  const [, range, parameters] = RANGE.exec(text) ?? [];
  if (range === undefined) return [];
  const weight = parameters?.split(';').find((parameter) => /^[ \t]*q[ \t]*=/i.test(parameter));
  return [{ range: range.toLowerCase(), weight: weight === undefined ? 1 : parseWeight(weight) }];
}

/** A weight that cannot be read is none: the range asks for nothing. */
function parseWeight(text: string): number {
  return Number(WEIGHT.exec(text)?.[1] ?? 0);
}

/** How much a media type is wanted. */
interface Wish {
  readonly weight: number;
  /** 2 for the type itself, 1 for its family, 0 for anything; -1 when nothing is said about it. */
  readonly precision: number;
  /** Where that is said. */
  readonly position: number;
}

const UNWANTED: Wish = { weight: 0, precision: -1, position: Number.POSITIVE_INFINITY };

/** The most precise range that takes the media type in decides. */
function wishFor(mediaType: string, ranges: readonly MediaRange[]): Wish {
  const byPrecision = ['*/*', 'application/*', mediaType];
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
