import { CLIENT_ORIGINS, CLIENT_STATUSES } from '@vestibule/clients';
import {
  type ClientFilter,
  type ClientPosition,
  MAX_NAME_PART_LENGTH,
  MAX_NAME_PREFIX_LENGTH,
  MIN_NAME_PART_LENGTH,
} from '@vestibule/clients/management';
import { type ClientId, type EpochSeconds, epochSeconds, parseClientId } from '@vestibule/protocol';
import { type Static, Type } from 'typebox';
import { NO_TIME, readTime } from '../../frame/time-text.js';

const text = Type.Optional(Type.String());

/** The query parameters of the list of clients. */
export const ClientListQuery = Type.Object({
  name: text,
  match: text,
  client_id: text,
  redirect_uri: text,
  contact: text,
  software_id: text,
  grant_type: text,
  origin: text,
  status: text,
  issued_after: text,
  issued_before: text,
  after: text,
});

/** A field of the search form. */
export type SearchField = Exclude<keyof Static<typeof ClientListQuery>, 'after'>;

/** A search for clients. */
export interface ClientSearch {
  /** What was entered, without empty fields. */
  readonly entered: { readonly [Field in SearchField]?: string };
  /** What is wrong with it. If anything is, there is nothing to search for. */
  readonly problems: { readonly [Field in SearchField]?: string };
  readonly filter: ClientFilter;
  /** Only the client with this identifier, whatever the filter is. */
  readonly clientId?: ClientId;
  /** Where the page begins. */
  readonly after?: ClientPosition;
}

type Reading = { readonly filter: ClientFilter } | { readonly problem: string };

/** Longer texts than any that clients can have, or are found by. */
const MAX_LENGTH = 2_048;

const FILTERS: { readonly [Field in SearchField]?: (text: string) => Reading } = {
  redirect_uri: (redirectUri) => ({ filter: { redirectUri } }),
  contact: (contact) => ({ filter: { contact } }),
  software_id: (softwareId) => ({ filter: { softwareId } }),
  grant_type: (grantType) => ({ filter: { grantType } }),
  origin: (given) => {
    const origin = CLIENT_ORIGINS.find((one) => one === given);
    return origin === undefined ? { problem: 'There is no such origin.' } : { filter: { origin } };
  },
  status: (given) => {
    const status = CLIENT_STATUSES.find((one) => one === given);
    return status === undefined ? { problem: 'There is no such status.' } : { filter: { status } };
  },
  issued_after: (given) => timeFilter(given, (issuedAfter) => ({ issuedAfter })),
  issued_before: (given) => timeFilter(given, (issuedBefore) => ({ issuedBefore })),
  client_id: (given) =>
    parseClientId(given) === undefined ? { problem: 'No client can have this identifier.' } : { filter: {} },
};

/** Parses the query of the list. */
export function parseClientSearch(query: Static<typeof ClientListQuery>): ClientSearch {
  const entered: { [Field in SearchField]?: string } = {};
  const problems: { [Field in SearchField]?: string } = {};
  let filter: ClientFilter = {};
  const take = (field: SearchField, reading: Reading) => {
    if ('problem' in reading) problems[field] = reading.problem;
    else filter = { ...filter, ...reading.filter };
  };
  for (const field of SEARCH_FIELDS) {
    const given = query[field];
    if (given === undefined || given === '') continue;
    entered[field] = given;
    const read = FILTERS[field];
    if (given.length > MAX_LENGTH) problems[field] = `It must have at most ${MAX_LENGTH} characters.`;
    else if (read !== undefined) take(field, read(given));
  }
  if (entered.name !== undefined) take('name', nameFilter(entered.name, entered.match));
  const clientId = parseClientId(entered.client_id);
  const after = parsePosition(query.after);
  return { entered, problems, filter, ...(clientId && { clientId }), ...(after && { after }) };
}

/** The fields in the order of the form. */
export const SEARCH_FIELDS = Object.keys(ClientListQuery.properties).filter(
  (name): name is SearchField => name !== 'after',
);

/** Formats a position as the query parameter `after`. */
export function formatPosition({ issuedAtMs, id }: ClientPosition): string {
  return `${issuedAtMs}.${id}`;
}

const POSITION = /^(\d{1,15})\.(.+)$/;

/** Positions are not entered by hand: one that cannot be read is the beginning. */
function parsePosition(given = ''): ClientPosition | undefined {
  const [, issuedAtMs, id] = POSITION.exec(given) ?? [];
  return issuedAtMs === undefined || parseClientId(id) === undefined || id === undefined
    ? undefined
    : { issuedAtMs: Math.min(Number(issuedAtMs), MAX_TIME_MS), id };
}

/** The end of the year 9999, which every store can compare. */
const MAX_TIME_MS = 253_402_300_799_999;

function nameFilter(name: string, match: string | undefined): Reading {
  const { length } = [...name];
  if (match === 'start') {
    if (length > MAX_NAME_PREFIX_LENGTH)
      return { problem: `It must have at most ${MAX_NAME_PREFIX_LENGTH} characters.` };
    return { filter: { namePrefix: name } };
  }
  if (length < MIN_NAME_PART_LENGTH || length > MAX_NAME_PART_LENGTH)
    return { problem: `It must have ${MIN_NAME_PART_LENGTH} to ${MAX_NAME_PART_LENGTH} characters.` };
  return { filter: { namePart: name } };
}

function timeFilter(given: string, filterOf: (time: EpochSeconds) => ClientFilter): Reading {
  const ms = readTime(given);
  return ms === undefined ? { problem: NO_TIME } : { filter: filterOf(epochSeconds(Math.floor(ms / 1_000))) };
}
