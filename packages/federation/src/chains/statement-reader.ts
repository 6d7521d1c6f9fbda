import { type Clock, epochSeconds, nowSeconds } from '@vestibule/protocol';
import { configurationAddress, type EntityId } from '../entity-id.js';
import { FederationFailure } from '../federation-failure.js';
import type { StatementRules } from '../profile.js';
import { decodeStatement } from '../statements/decode-statement.js';
import type {
  ParsedConfiguration,
  ParsedSubordinateStatement,
  UnverifiedStatement,
} from '../statements/entity-statement.js';
import { parseConfiguration, parseSubordinateStatement } from '../statements/parse-statement.js';
import { readEndpoint } from '../statements/statement-claims.js';
import { requireNoChainHeader } from '../statements/statement-header.js';
import {
  type DiscoveryLimits,
  type DocumentFetchers,
  markStatusKey,
  type StatementCache,
  type StatementFetcher,
} from './discovery-ports.js';
import { abortedOr, createFetchBudget } from './fetch-budget.js';

/** Reads the statements of a federation within the budget of one resolution; each URL is fetched once. */
export interface StatementReader {
  /**
   * The configuration of an entity.
   * @throws FederationFailure if it is unavailable or malformed
   */
  configuration(entity: EntityId): Promise<ParsedConfiguration>;
  /**
   * The statement of a superior about an entity.
   * @throws FederationFailure if it is unavailable or malformed
   */
  subordinate(superior: ParsedConfiguration, entity: EntityId): Promise<ParsedSubordinateStatement>;
  /**
   * The current configuration of an entity, in place of a cached one; `undefined` for one that was not cached, or that
   * was fetched again a short time ago.
   * @throws FederationFailure if it is unavailable or malformed.
   */
  newConfiguration(stale: ParsedConfiguration): Promise<ParsedConfiguration | undefined>;
  /** The same for the statement of a superior about an entity. */
  newSubordinate(
    superior: ParsedConfiguration,
    stale: ParsedSubordinateStatement,
  ): Promise<ParsedSubordinateStatement | undefined>;
  /**
   * Requests the status of a trust mark from a status endpoint. A response that `verify` accepts is cached for a
   * minute.
   * @throws FederationFailure `trust_mark_unconfirmed` if there is no response, or whatever `verify` throws.
   */
  markStatus(endpoint: URL, mark: string, verify: (response: string) => Promise<void>): Promise<void>;
  /**
   * The signed key set at a URL.
   * @throws FederationFailure if it is unavailable
   */
  signedKeySet(address: URL): Promise<string>;
  /** Number of fetches that were started. */
  readonly fetches: number;
}

/** Dependencies of reading the statements of a federation. */
export interface StatementReaderDeps {
  readonly fetch: StatementFetcher;
  /** Without them neither trust mark statuses nor signed key sets are available. */
  readonly documents?: DocumentFetchers;
  readonly cache?: StatementCache;
  readonly clock: Clock;
  readonly limits: DiscoveryLimits;
  readonly rules: StatementRules;
  /** Aborts the resolution with its running fetches: the caller aborts it after `maxMs` at the latest. */
  readonly signal: AbortSignal;
}

/** Creates a reader of statements; the time of its budget starts now. */
export function createStatementReader(deps: StatementReaderDeps): StatementReader {
  const { rules } = deps;
  const budget = createFetchBudget(deps);
  const { read, readAnew } = readerOnce(deps, budget.take);
  const documents = documentReader(deps, budget.take);
  const asConfiguration = (entity: EntityId) => (statement: UnverifiedStatement) => {
    const parsed = parseConfiguration(statement, rules);
    requireExpected(parsed.subject === entity);
    return parsed;
  };
  const asSubordinate =
    (superior: ParsedConfiguration, entity: EntityId) => (statement: UnverifiedStatement) => {
      const parsed = parseSubordinateStatement(statement, rules);
      requireExpected(parsed.issuer === superior.subject && parsed.subject === entity);
      return parsed;
    };
  return {
    configuration: (entity) => read(configurationAddress(entity), asConfiguration(entity)),
    subordinate: async (superior, entity) =>
      read(fetchAddress(superior, entity, rules), asSubordinate(superior, entity)),
    newConfiguration: ({ subject, token }) =>
      readAnew(configurationAddress(subject), token, asConfiguration(subject)),
    newSubordinate: async (superior, { subject, token }) =>
      readAnew(fetchAddress(superior, subject, rules), token, asSubordinate(superior, subject)),
    ...documents,
    get fetches() {
      return budget.taken();
    },
  };
}

/** The text at a URL. */
interface ReadText {
  readonly text: string;
  readonly isFresh: boolean;
  /** The cached text that it replaced. */
  readonly replaced?: string;
}

type Parse<Statement> = (statement: UnverifiedStatement) => Statement;

/** Reads from the cache or the network. Parallel reads of one address share one fetch. */
function readerOnce({ fetch, cache, clock, signal }: StatementReaderDeps, take: () => void) {
  const texts = new Map<string, Promise<ReadText>>();
  const load = async (address: string): Promise<ReadText> => {
    const known = await cache?.get(address);
    return known === undefined ? fetchNow(address) : { text: known, isFresh: false };
  };
  const fetchNow = async (address: string, replaced?: string): Promise<ReadText> => {
    take();
    const text = await abortedOr(fetch(address, signal), signal);
    if (text === undefined) throw new FederationFailure('unresolvable', 'a statement could not be fetched');
    return { text, isFresh: true, ...(replaced !== undefined && { replaced }) };
  };
  const read = async <Statement extends ParsedConfiguration | ParsedSubordinateStatement>(
    address: string,
    parse: Parse<Statement>,
  ): Promise<Statement> => {
    const loading = texts.get(address) ?? load(address);
    texts.set(address, loading);
    const { text, isFresh } = await loading;
    const decoded = decodeStatement(text);
    requireNoChainHeader(decoded.header);
    const statement = parse(decoded);
    if (isFresh && statement.expiresAt > nowSeconds(clock))
      await cache?.put(address, text, statement.expiresAt);
    return statement;
  };
  /**
   * Fetches a statement again that came from the cache; `undefined` if it did not, if the cache does not permit a
   * renewal now, or if the superior still serves the same text. Paths that share a statement share the new one.
   */
  const readAnew = async <Statement extends ParsedConfiguration | ParsedSubordinateStatement>(
    address: string,
    stale: string,
    parse: Parse<Statement>,
  ): Promise<Statement | undefined> => {
    const known = await texts.get(address);
    if (known === undefined) return undefined;
    if (known.replaced !== stale) {
      if (known.isFresh || known.text !== stale || !(await cache?.takeRenewal(address))) return undefined;
      texts.set(address, fetchNow(address, stale));
    }
    // The same text is not a newer statement: validating it again would never end.
    if ((await texts.get(address))?.text === stale) return undefined;
    return read(address, parse);
  };
  return { read, readAnew };
}

/** How long a trust mark counts as active once its issuer has confirmed it. */
const MARK_STATUS_SECONDS = 60;

/** Reads documents that are not statements. */
function documentReader(
  { documents, cache, clock, signal }: StatementReaderDeps,
  take: () => void,
): Pick<StatementReader, 'markStatus' | 'signedKeySet'> {
  const statusResponses = new Map<string, Promise<string>>();
  const fetchNow = async (
    failure: FederationFailure,
    fetch: () => Promise<string | undefined> | undefined,
  ) => {
    take();
    const text = await abortedOr(Promise.resolve(fetch()), signal);
    if (text === undefined) throw failure;
    return text;
  };
  return {
    markStatus: async ({ href }, mark, verify) => {
      const key = markStatusKey(href, mark);
      const known = await cache?.get(key);
      if (known !== undefined && (await isAccepted(verify(known)))) return;
      const fetchStatus = () => documents?.markStatus(href, mark, signal);
      const response = statusResponses.get(key) ?? fetchNow(unconfirmed(), fetchStatus);
      statusResponses.set(key, response);
      const text = await response;
      await verify(text);
      await cache?.put(key, text, epochSeconds(nowSeconds(clock) + MARK_STATUS_SECONDS));
    },
    signedKeySet: ({ href }) =>
      fetchNow(
        new FederationFailure('unresolvable', 'the key set at signed_jwks_uri could not be fetched'),
        () => documents?.signedKeySet(href, signal),
      ),
  };
}

function unconfirmed(): FederationFailure {
  return new FederationFailure(
    'trust_mark_unconfirmed',
    'the status endpoint of the issuer gives no usable response, so that nothing says whether the mark is active',
  );
}

/** Whether a response that was accepted earlier still is; if not, it is fetched again. */
async function isAccepted(verifying: Promise<void>): Promise<boolean> {
  try {
    await verifying;
    return true;
  } catch (failure) {
    if (failure instanceof FederationFailure) return false;
    throw failure;
  }
}

/** The URL of the statement of a superior about an entity (OpenID Federation 1.0 section 8.1). */
function fetchAddress(
  { metadata }: ParsedConfiguration,
  entity: EntityId,
  { allowHosts }: StatementRules,
): string {
  const url = readEndpoint(metadata['federation_entity']?.['federation_fetch_endpoint'], allowHosts);
  if (url === undefined)
    throw new FederationFailure(
      'no_fetch_endpoint',
      'a superior publishes no address to fetch statements from',
    );
  url.searchParams.set('sub', entity);
  return url.href;
}

function requireExpected(isExpected: boolean): void {
  if (!isExpected)
    throw new FederationFailure('unexpected_statement', 'a statement is by or about another entity');
}
