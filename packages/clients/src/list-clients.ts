import { DomainError, nowSeconds } from '@vestibule/protocol';
import type { Client } from './client.js';
import {
  type ClientInformation,
  clientInformation,
  operatorMembers,
  revealCredentials,
} from './client-information.js';
import type { ClientFilter, ClientSelection } from './client-selection.js';
import { findInitialToken } from './find-initial-token.js';
import { invalidToken } from './invalid-token.js';
import { readCursor, writeCursor } from './list-cursor.js';
import type { RegistrationAuthorityDeps, RegistrationDeps } from './registration-deps.js';

/** What listing takes besides: telling too weak tokens from invalid ones. */
export type ListClientsDeps = RegistrationDeps &
  Pick<RegistrationAuthorityDeps, 'initialAccessTokens' | 'initialTokenReader' | 'accessTokens'>;

/** A request to list clients. */
export interface ListClientsInput {
  /** The bearer token; absent when the request carries none. */
  readonly token?: string | undefined;
  readonly filter?: ClientFilter | undefined;
  /** The most clients that are wanted; all of them when absent. */
  readonly limit?: number | undefined;
  /** The `next` of the list before, which had the same filter. */
  readonly cursor?: string | undefined;
}

/** A list of clients. */
export interface ClientList {
  /** Page by page, read as they are consumed. */
  readonly pages: AsyncIterable<readonly ClientInformation[]>;
  /** What leads to the clients after these; absent when there are none, and for lists without limit. */
  readonly next?: string;
}

/**
 * Lists clients in the order of issue (registration/API.md#list), each with its status, origin, end and last use.
 * Expired clients are left out; expired secrets are shown and never renewed.
 *
 * @throws DomainError `missing_token` without a token; `insufficient_scope` with a live initial access token or access
 *   token; `invalid_token` with any other one that is not the master token; `invalid_request` for a cursor that was not
 *   given for this list.
 */
export async function listClients(deps: ListClientsDeps, input: ListClientsInput): Promise<ClientList> {
  const { token, filter = {}, limit, cursor } = input;
  await authorizeListing(deps, token);
  const selection: ClientSelection = {
    filter,
    now: nowSeconds(deps.clock),
    ...(cursor !== undefined && { after: await readCursor(deps.encryptor, cursor, filter) }),
  };
  if (limit === undefined) return { pages: informationOf(deps, deps.clients.list(selection)) };
  const { clients, next } = await deps.clients.page(selection, limit);
  return {
    pages: informationOf(deps, [clients]),
    ...(next && { next: await writeCursor(deps.encryptor, next, filter) }),
  };
}

/**
 * Checks that a bearer token may list clients: who asks is decided before what.
 * @throws DomainError `missing_token`, `insufficient_scope` or `invalid_token` as {@link listClients} does.
 */
export async function authorizeListing(deps: ListClientsDeps, token: string | undefined): Promise<void> {
  if (token === undefined) throw new DomainError('missing_token', 'The master token is needed.');
  if (!deps.masterToken.matches(token)) throw await refusal(deps, token);
}

type ClientPages = AsyncIterable<readonly Client[]> | Iterable<readonly Client[]>;

async function* informationOf(
  { encryptor, settings }: RegistrationDeps,
  pages: ClientPages,
): AsyncGenerator<readonly ClientInformation[]> {
  for await (const page of pages) {
    yield await Promise.all(
      page.map(async (client) => ({
        ...clientInformation(client, settings.issuer, await revealCredentials(encryptor, client)),
        ...operatorMembers(client),
      })),
    );
  }
}

async function refusal(deps: ListClientsDeps, token: string): Promise<DomainError> {
  const issued = (await findInitialToken(deps, token))?.issued;
  const isLiveInitialToken =
    issued !== undefined && issued.usesLeft > 0 && issued.expiresAt > nowSeconds(deps.clock);
  if (isLiveInitialToken || (await deps.accessTokens.isAccessToken(token))) {
    return new DomainError('insufficient_scope', 'The access token does not permit listing clients.');
  }
  return invalidToken('not the master token');
}
