import { MEDIA_TYPE } from '@vestibule/protocol';

/** A media range with its weight (RFC 9110 section 12.5.1); other parameters are passed over. */
const RANGE = /^[ \t]*([!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+)[ \t]*((?:;[^;]*)*)$/i;
const WEIGHT = /^[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*$/i;

/** How much a media type is wanted. */
interface Preference {
  readonly weight: number;
  /** 2 for the type itself, 1 for its family, 0 for anything; -1 when nothing is said about it. */
  readonly precision: number;
}

const UNWANTED: Preference = { weight: 0, precision: -1 };

/**
 * Whether `Accept` prefers one client a line to one array. The array is the answer to everything else: to no header,
 * to equal wishes, and to wishes that neither form fulfils.
 */
export function prefersNdjson(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const ranges = accept.split(',').flatMap(parseRange);
  const lines = preferenceFor(MEDIA_TYPE.ndjson, ranges);
  const array = preferenceFor(MEDIA_TYPE.json, ranges);
  if (lines.weight === 0) return false;
  return lines.weight > array.weight || (lines.weight === array.weight && lines.precision > array.precision);
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

function preferenceFor(mediaType: string, ranges: readonly MediaRange[]): Preference {
  const family = `${mediaType.split('/', 1)[0]}/*`;
  const byPrecision = ['*/*', family, mediaType];
  return ranges.reduce<Preference>((best, { range, weight }) => {
    const precision = byPrecision.indexOf(range);
    return precision > best.precision ? { weight, precision } : best;
  }, UNWANTED);
}
