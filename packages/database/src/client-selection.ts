import type { Client } from '@vestibule/clients';
import type {
  ClientFilter,
  ClientPage,
  ClientPosition,
  ClientSelection,
} from '@vestibule/clients/management';
import { CLIENT_OBJECT, type SelectedClient, selectedClient } from './client-row.js';
import type { RunStatement, Statement } from './statement.js';

/**
 * Page size of a list without limit: few enough clients that other requests hardly wait for them, and that few of their
 * objects reach the old generation of the heap.
 */
const LIST_PAGE_SIZE = 25;

/** Indexed characters of a name or software identifier; longer values may exceed the size of an index entry. */
const INDEXED_LENGTH = 200;

const NAME = `lower(left(metadata->>'client_name', ${INDEXED_LENGTH}) COLLATE "C")`;
const SOFTWARE_ID = `metadata->>'software_id'`;

type ListedRow = SelectedClient & { readonly issued_at_ms: number };

/** A statement with the values of its parameters. */
export interface BoundStatement {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** Adds a value to a statement and returns its parameter. */
type Bind = (value: unknown) => string;

/** The condition of each filter. Values are always parameters. */
const CONDITIONS: { readonly [Name in keyof ClientFilter]-?: (bind: Bind, value: never) => string } = {
  namePrefix: (bind, prefix: string) => {
    const start = asciiLowerCase(prefix);
    const end = successor(start);
    const isBehind = `${NAME} >= ${bind(start)}`;
    return end === undefined ? isBehind : `${isBehind} AND ${NAME} < ${bind(end)}`;
  },
  namePart: (bind, part: string) => {
    const pairs = `vestibule_name_pairs(${bind(JSON.stringify({ client_name: part }))}::jsonb)`;
    // A count instead of a boolean, so that the planner assumes that rows with the pairs contain the text.
    return `vestibule_name_pairs(metadata) @> ${pairs} AND (
      SELECT count(*) FROM jsonb_object_keys(metadata) AS member
      WHERE starts_with(member, 'client_name')
        AND position(vestibule_fold_case(${bind(part)}) IN vestibule_fold_case(metadata->>member)) > 0
    ) <> 0`;
  },
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

/**
 * Builds the statement that reads selected clients in the order of the selection. By hand, because lists have hundreds of
 * thousands of clients, and Prisma Client can name neither a position in two columns nor the indexed expressions.
 */
export function clientSelection(selection: ClientSelection, limit: number): BoundStatement {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const { filter = {}, isNewestFirst = false, now } = selection;
  const { after = isNewestFirst ? undefined : START } = selection;
  const direction = isNewestFirst ? ' DESC' : '';
  const conditions = [
    ...(after === undefined
      ? ['true']
      : [
          `(issued_at, id) ${isNewestFirst ? '<' : '>'} (${bind(new Date(after.issuedAtMs).toISOString())}::timestamptz, ${bind(after.id)})`,
        ]),
    ...(now === undefined ? [] : [`(expires_at IS NULL OR expires_at > to_timestamp(${bind(now)}))`]),
    ...filterConditions(filter, bind),
  ];
  // The exact time in milliseconds identifies the next page, independent of the program that wrote the row.
  const text = `SELECT ${CLIENT_OBJECT}, extract(epoch FROM issued_at)::float8 * 1000 AS issued_at_ms
    FROM client
    WHERE ${conditions.join(' AND ')}
    ORDER BY client.issued_at${direction}, client.id${direction}
    LIMIT ${bind(limit)}`;
  // Filters are planned for their values: rare values use their index, common ones do not.
  const isUnprepared = Object.keys(filter).length > 0;
  const order = `${isNewestFirst ? '-newest' : ''}${isNewestFirst && after !== undefined ? '-after' : ''}`;
  const name = `client-list${isUnprepared ? '-filtered' : ''}${now === undefined ? '-all' : ''}${order}`;
  return { statement: { name, text, repeatable: true, isUnprepared }, values };
}

const START: ClientPosition = { issuedAtMs: 0, id: '' };

function filterConditions(filter: ClientFilter, bind: Bind): string[] {
  return Object.entries(filter).map(([name, value]) =>
    CONDITIONS[name as keyof ClientFilter](bind, value as never),
  );
}

/** Lists selected clients in pages. Each page is a statement of its own, so that nothing is held in between. */
export async function* listClients(
  run: RunStatement,
  selection: ClientSelection = {},
): AsyncGenerator<readonly Client[]> {
  let { after } = selection;
  for (;;) {
    const position = after && { after };
    const { statement, values } = clientSelection({ ...selection, ...position }, LIST_PAGE_SIZE);
    const { rows } = await run<ListedRow>(statement, values);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(selectedClient);
    if (rows.length < LIST_PAGE_SIZE) return;
    after = positionOf(last);
  }
}

/** Reads one page of selected clients. */
export async function pageOfClients(
  run: RunStatement,
  selection: ClientSelection,
  limit: number,
): Promise<ClientPage> {
  const { statement, values } = clientSelection(selection, limit + 1);
  const { rows } = await run<ListedRow>(statement, values);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    clients: page.map(selectedClient),
    ...(last !== undefined && rows.length > limit && { next: positionOf(last) }),
  };
}

function positionOf({ client, issued_at_ms }: ListedRow): ClientPosition {
  return { issuedAtMs: Math.round(issued_at_ms), id: client.id };
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
