import type { Client } from '@vestibule/clients';
import type { ClientPage, ClientPosition, ClientSelection } from '@vestibule/clients/management';
import { type Bind, filterConditions, pairsCondition } from './client-conditions.js';
import { CLIENT_OBJECT, type SelectedClient, selectedClient } from './client-row.js';
import type { RunStatement, Statement } from './statement.js';

/**
 * Page size of a list without limit: few enough clients that other requests hardly wait for them, and that few of their
 * objects reach the old generation of the heap.
 */
const LIST_PAGE_SIZE = 25;

/**
 * How many clients a search for a part of a name reads in order before it uses the index: at least the first number, and
 * the second one for each client of the page. Comparing their names takes a few milliseconds. A part that is frequent enough to
 * fill the page with them is not looked up in the index, which would return too many clients.
 */
const READ_IN_ORDER = { least: 1_000, perResult: 5 };

type ListedRow = SelectedClient & { readonly issued_at_ms: number };

/** A statement with the values of its parameters. */
export interface BoundStatement {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/**
 * Builds the statement that reads selected clients in the order of the selection. By hand, because lists have hundreds of
 * thousands of clients, and Prisma Client can name neither a position in two columns nor the indexed expressions.
 */
export function clientSelection(selection: ClientSelection, limit: number): BoundStatement {
  const parts = statementParts(selection);
  const { bind, position, others, name, order } = parts;
  const { namePart, ...rest } = selection.filter ?? {};
  const selected = `client WHERE ${[position, ...others].join(' AND ')}`;
  if (namePart === undefined) {
    const kind = Object.keys(rest).length > 0 ? '-filtered' : '';
    return boundStatement(selection, parts, { kind, from: selected, order: order('issued_at', 'id'), limit });
  }
  // The planner takes the pairs of characters for independent of each other, so its estimate of the result is often far too
  // high or low. MATERIALIZED and OFFSET 0 leave it no choice: it finds the clients, sorts them, and then compares names
  // until the page is full.
  const found = `WITH found (found_id, found_at) AS MATERIALIZED (
      SELECT id, issued_at FROM ${selected} AND ${pairsCondition(bind, namePart)}
    ) SELECT * FROM found ${order('found_at', 'found_id')} OFFSET 0`;
  const from = `(${found}) AS found
    CROSS JOIN LATERAL (SELECT * FROM client WHERE id = found_id OFFSET 0) AS client
    WHERE ${name.join(' AND ')}`;
  return boundStatement(selection, parts, {
    kind: '-named',
    from,
    order: order('found_at', 'found_id'),
    limit,
  });
}

/**
 * Builds the statement that looks for a part of a name among a number of clients, in the order of the selection. The
 * result is the beginning of the selection; it is complete if it has as many clients as the limit.
 */
export function selectionInOrder(selection: ClientSelection, limit: number): BoundStatement {
  const parts = statementParts(selection);
  const { bind, position, others, name } = parts;
  const order = parts.order('issued_at', 'id');
  const number = bind(Math.max(READ_IN_ORDER.least, READ_IN_ORDER.perResult * limit));
  const read = `SELECT * FROM client WHERE ${position} ${order} LIMIT ${number}`;
  const from = `(${read}) AS client WHERE ${[...others, ...name].join(' AND ')}`;
  return boundStatement(selection, parts, { kind: '-named-in-order', from, order, limit });
}

const START: ClientPosition = { issuedAtMs: 0, id: '' };

/** The parts of a statement, with the values of the parameters in them. */
interface StatementParts {
  readonly values: readonly unknown[];
  readonly bind: Bind;
  /** The condition that a client is in the part of the order in which the selection is. */
  readonly position: string;
  /** The condition that a name has the part that is searched for. */
  readonly name: readonly string[];
  /** The other conditions. */
  readonly others: readonly string[];
  readonly order: (issuedAt: string, id: string) => string;
}

function statementParts({ filter = {}, isNewestFirst = false, after, now }: ClientSelection): StatementParts {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const { issuedAfter, issuedBefore, namePart, ...rest } = filter;
  const direction = isNewestFirst ? ' DESC' : '';
  const start = after ?? (isNewestFirst ? undefined : START);
  const position = [
    start === undefined
      ? 'true'
      : `(issued_at, id) ${isNewestFirst ? '<' : '>'} (${bind(new Date(start.issuedAtMs).toISOString())}::timestamptz, ${bind(start.id)})`,
    ...filterConditions({ issuedAfter, issuedBefore }, bind),
  ].join(' AND ');
  const others = [
    ...(now === undefined ? [] : [`(expires_at IS NULL OR expires_at > to_timestamp(${bind(now)}))`]),
    ...filterConditions(rest, bind),
  ];
  const name = filterConditions({ namePart }, bind);
  const order = (issuedAt: string, id: string) => `ORDER BY ${issuedAt}${direction}, ${id}${direction}`;
  return { values, bind, position, name, others, order };
}

interface StatementSource {
  readonly kind: '' | '-filtered' | '-named' | '-named-in-order';
  readonly from: string;
  readonly order: string;
  readonly limit: number;
}

function boundStatement(
  { isNewestFirst = false, after, now }: ClientSelection,
  { values, bind }: StatementParts,
  { kind, from, order, limit }: StatementSource,
): BoundStatement {
  // The exact time in milliseconds identifies the next page, independent of the program that wrote the row.
  const text = `SELECT ${CLIENT_OBJECT}, extract(epoch FROM issued_at)::float8 * 1000 AS issued_at_ms
    FROM ${from}
    ${order}
    LIMIT ${bind(limit)}`;
  const direction = `${isNewestFirst ? '-newest' : ''}${isNewestFirst && after !== undefined ? '-after' : ''}`;
  const name = `client-list${kind}${now === undefined ? '-all' : ''}${direction}`;
  // Filters are planned for their values: rare values use their index, common ones do not.
  return { statement: { name, text, repeatable: true, isUnprepared: kind !== '' }, values };
}

/** Reads the first clients of a selection. */
async function firstRows(
  run: RunStatement,
  selection: ClientSelection,
  limit: number,
): Promise<readonly ListedRow[]> {
  if (selection.filter?.namePart !== undefined) {
    const { statement, values } = selectionInOrder(selection, limit);
    const { rows } = await run<ListedRow>(statement, values);
    if (rows.length === limit) return rows;
  }
  const { statement, values } = clientSelection(selection, limit);
  return (await run<ListedRow>(statement, values)).rows;
}

/** Lists selected clients in pages. Each page is read on its own, so that nothing is held in between. */
export async function* listClients(
  run: RunStatement,
  selection: ClientSelection = {},
): AsyncGenerator<readonly Client[]> {
  let { after } = selection;
  for (;;) {
    const position = after && { after };
    const rows = await firstRows(run, { ...selection, ...position }, LIST_PAGE_SIZE);
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
  const rows = await firstRows(run, selection, limit + 1);
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
