import { sha256 } from '@vestibule/crypto';
import type { Digester } from '@vestibule/crypto/data-keys';
import { type Clock, DomainError, type Issuer, nowSeconds } from '@vestibule/protocol';
import { inOneOrder } from '@vestibule/protocol/json';
import { type ImportRefusal, whyNotImportable } from './check-imported-token.js';
import { type ImportedToken, importedState } from './imported-token.js';
import type {
  ImportConflict,
  ImportedTokenRecord,
  ImportedTokenStore,
  ImportOutcome,
} from './imported-token-store.js';

/** Dependencies of importing tokens. */
export interface TokenImportDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  readonly digester: Digester;
  readonly importedTokens: ImportedTokenStore;
}

/** Result of importing one token: what became of it, or why it was refused. */
export type ImportResult =
  | { readonly outcome: ImportOutcome; readonly refusal?: undefined }
  | { readonly outcome?: undefined; readonly refusal: ImportRefusal };

/** Number of tokens by outcome. */
export type ImportCounts = Readonly<Record<ImportOutcome, number>>;

/**
 * Imports all tokens or none. When it returns, the access tokens are active on every instance, and tokens of both kinds
 * can be revoked.
 * @throws DomainError `invalid_request` that names the first token that is refused, as `tokens[3].exp: …`
 * @throws KeyEncryptionError while a digest key that tokens may be stored under cannot be opened
 */
export async function importAll(
  deps: TokenImportDeps,
  tokens: readonly ImportedToken[],
): Promise<ImportCounts> {
  const now = nowSeconds(deps.clock);
  const places = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    const refusal = whyNotImportable(token, now) ?? whyRepeated(token, places);
    if (refusal !== undefined) throw refusedEntry(index, refusal);
    places.set(nameOf(token), index);
  }
  const outcomes = await deps.importedTokens.add(await recordsOf(deps, tokens), { isAllOrNone: true, now });
  const counts = { stored: 0, unchanged: 0, revoked: 0 };
  for (const [index, outcome] of outcomes.entries()) {
    if (isConflict(outcome)) throw refusedEntry(index, CONFLICTS[outcome]);
    counts[outcome] += 1;
  }
  return counts;
}

/**
 * Imports each token on its own, in order: a refused one does not affect the others. A token that occurs again is
 * imported again.
 * @throws KeyEncryptionError as {@link importAll} does; nothing was stored then
 */
export async function importEach(
  deps: TokenImportDeps,
  tokens: readonly ImportedToken[],
): Promise<readonly ImportResult[]> {
  const now = nowSeconds(deps.clock);
  const results: ImportResult[] = [];
  for (const distinct of inDistinctRuns(tokens)) {
    const refusals = distinct.map((token) => whyNotImportable(token, now));
    const importable = distinct.filter((_token, index) => refusals[index] === undefined);
    const records = await recordsOf(deps, importable);
    const outcomes =
      records.length === 0 ? [] : await deps.importedTokens.add(records, { isAllOrNone: false, now });
    const remaining = outcomes[Symbol.iterator]();
    for (const refusal of refusals) results.push(refusal ? { refusal } : resultOf(remaining.next().value));
  }
  return results;
}

/** Builds the error for a token by its place in the request. */
export function refusedEntry(index: number, { member, problem }: ImportRefusal): DomainError {
  const name = member === undefined ? '' : `.${member}`;
  return new DomainError('invalid_request', `tokens[${index}]${name}: ${problem}`);
}

const CONFLICTS: Readonly<Record<ImportConflict, ImportRefusal>> = {
  unknown_client: { member: 'client_id', problem: 'is not a registered client' },
  other_facts: { member: 'token', problem: 'was imported before with other values, which stay' },
  issued_here: { member: 'token', problem: 'was issued by this server' },
  foreign_session: { member: 'sid', problem: 'is a session of another end-user than sub' },
};

function isConflict(result: ImportOutcome | ImportConflict): result is ImportConflict {
  return Object.hasOwn(CONFLICTS, result);
}

function resultOf(result: ImportOutcome | ImportConflict | undefined): ImportResult {
  if (result === undefined) throw new TypeError('the store returned too few results');
  return isConflict(result) ? { refusal: CONFLICTS[result] } : { outcome: result };
}

function whyRepeated(token: ImportedToken, places: ReadonlyMap<string, number>): ImportRefusal | undefined {
  const place = places.get(nameOf(token));
  return place === undefined ? undefined : { member: 'token', problem: `is also in tokens[${place}]` };
}

/** Access tokens and refresh tokens have separate namespaces. */
function nameOf({ kind, text }: ImportedToken): string {
  return `${kind} ${text}`;
}

/** Splits tokens into runs without a repeated token, since the outcome of the second depends on the first. */
function inDistinctRuns(tokens: readonly ImportedToken[]): readonly (readonly ImportedToken[])[] {
  const runs: ImportedToken[][] = [];
  let names = new Set<string>();
  for (const token of tokens) {
    const name = nameOf(token);
    if (runs.length === 0 || names.has(name)) {
      runs.push([]);
      names = new Set();
    }
    runs.at(-1)?.push(token);
    names.add(name);
  }
  return runs;
}

/** A token that was imported before may be stored under any key, so all of them are needed. */
async function recordsOf(
  { digester, issuer }: TokenImportDeps,
  tokens: readonly ImportedToken[],
): Promise<readonly ImportedTokenRecord[]> {
  let records: readonly ImportedTokenRecord[] = [];
  // Rejects while a key cannot be opened, because nothing is found.
  await digester.find<never>(async (digests) => {
    records = tokens.map((token) => ({
      kind: token.kind,
      digests: digests(`${token.kind}-token`, token.text),
      facts: factsOf(token),
      token: importedState(token, issuer),
    }));
    return undefined;
  });
  return records;
}

/** The order of members, scope values and audience makes no difference. */
function factsOf({ text: _, scope, audience = [], ...facts }: ImportedToken): Uint8Array {
  const sets = { scope: [...scope].toSorted(), audience: [...new Set(audience)].toSorted() };
  return sha256(JSON.stringify(inOneOrder({ ...facts, ...sets })));
}
