import type { ClientFilter } from '@vestibule/clients/management';

/** Adds a value to a statement and returns its parameter. */
export type Bind = (value: unknown) => string;

/** Indexed characters of a name or software identifier; longer values may exceed the size of an index entry. */
const INDEXED_LENGTH = 200;

const NAME = `lower(left(metadata->>'client_name', ${INDEXED_LENGTH}) COLLATE "C")`;
const SOFTWARE_ID = `metadata->>'software_id'`;

/** The condition of each filter. Values are always parameters. */
const CONDITIONS: { readonly [Name in keyof ClientFilter]-?: (bind: Bind, value: never) => string } = {
  namePrefix: (bind, prefix: string) => {
    const start = asciiLowerCase(prefix);
    const end = successor(start);
    const isBehind = `${NAME} >= ${bind(start)}`;
    return end === undefined ? isBehind : `${isBehind} AND ${NAME} < ${bind(end)}`;
  },
  // A count rather than EXISTS, so that the planner assumes that most of the clients with the pairs contain the text.
  namePart: (bind, part: string) => `(
      SELECT count(*) FROM jsonb_object_keys(metadata) AS member
      WHERE starts_with(member, 'client_name')
        AND position(vestibule_fold_case(${bind(part)}) IN vestibule_fold_case(metadata->>member)) > 0
    ) > 0`,
  redirectUri: (bind, uri: string) => `metadata->'redirect_uris' @> ${bind(JSON.stringify([uri]))}::jsonb`,
  contact: (bind, contact: string) =>
    `vestibule_fold_case((metadata->'contacts')::text)::jsonb
      @> vestibule_fold_case(${bind(JSON.stringify([contact]))})::jsonb`,
  grantType: (bind, grantType: string) =>
    `metadata->'grant_types' @> ${bind(JSON.stringify([grantType]))}::jsonb`,
  origin: (bind, origin: string) => `origin = ${bind(origin)}::client_origin`,
  softwareId: (bind, id: string) =>
    `left(${SOFTWARE_ID}, ${INDEXED_LENGTH}) = left(${bind(id)}::text, ${INDEXED_LENGTH}) AND ${SOFTWARE_ID} = ${bind(id)}`,
  issuedAfter: (bind, second: number) => `issued_at >= to_timestamp(${bind(second)}::float8 + 1)`,
  issuedBefore: (bind, second: number) => `issued_at < to_timestamp(${bind(second)})`,
  status: (bind, status: string) => `status = ${bind(status)}::client_status`,
};

/** Returns the conditions of the given members of a filter on a row of `client`, in SQL. */
export function filterConditions(
  filter: { readonly [Name in keyof ClientFilter]: ClientFilter[Name] | undefined },
  bind: Bind,
): string[] {
  return Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [CONDITIONS[name as keyof ClientFilter](bind, value as never)],
  );
}

/**
 * Returns the condition, in SQL, by which an index finds the clients that may have a text in a name: those whose names
 * contain every pair of neighbouring characters of the text, in any place.
 */
export function pairsCondition(bind: Bind, part: string): string {
  const pairs = `vestibule_name_pair_array(${bind(JSON.stringify({ client_name: part }))}::jsonb)`;
  return `vestibule_name_pair_array(metadata) COLLATE "C" @> ${pairs}`;
}

/** Converts like `lower` with the collation "C", which is the same in every database. */
function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const LAST_CODE_POINT = 0x10_ffff;
const SURROGATES = { first: 0xd800, last: 0xdfff };

/** Returns the smallest text, by code points, after all texts with the given prefix; `undefined` without one. */
function successor(text: string): string | undefined {
  const points = [...text].map((character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last + 1 === SURROGATES.first ? SURROGATES.last + 1 : last + 1;
  return String.fromCodePoint(...points, next);
}
