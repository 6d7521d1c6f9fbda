import { DomainError, nowSeconds } from '@vestibule/protocol';
import type { Client } from '../client.js';
import {
  type ClientInformation,
  clientInformation,
  operatorMembers,
  revealCredentials,
} from '../client-information.js';
import { invalidToken } from '../invalid-token.js';
import { findInitialToken } from '../registration/initial-access-token.js';
import type { RegistrationAuthorityDeps, RegistrationDeps } from '../registration/registration-deps.js';
import type { ClientFilter, ClientSelection } from './client-selection.js';
import { readCursor, writeCursor } from './list-cursor.js';

/** Dependencies of listing. Recognizing access tokens tells insufficient tokens from invalid ones. */
export type ListClientsDeps = RegistrationDeps &
  Pick<RegistrationAuthorityDeps, 'initialAccessTokens' | 'initialTokenReader' | 'accessTokens'>;

/** A request to list clients. */
export interface ListClientsInput {
  /** The bearer token; absent if the request has none. */
  readonly token?: string | undefined;
  readonly filter?: ClientFilter | undefined;
  /** Maximum number of clients; all if absent. */
  readonly limit?: number | undefined;
  /** `next` of the previous page, which had the same filter. */
  readonly cursor?: string | undefined;
}

/** A list of clients. */
export interface ClientList {
  /** Pages, read as they are consumed. */
  readonly pages: AsyncIterable<readonly ClientInformation[]>;
  /** Cursor of the next page; absent on the last page and for lists without a limit. */
  readonly next?: string;
}

/**
 * Lists clients in the order of issue (registration/API.md#list) with status, origin, expiry and last use. Expired
 * clients are left out; expired secrets are shown and never renewed.
 *
 * @throws DomainError `missing_token` without a token; `insufficient_scope` with a live initial access token or access
 *   token; `invalid_token` with any other token but the master token; `invalid_request` for a cursor that was not
 *   issued for this list.
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
 * Checks that a bearer token may list clients, before the parameters are looked at.
 * @throws DomainError `missing_token`, `insufficient_scope` or `invalid_token` as {@link listClients} does.
 */
export async function authorizeListing(deps: ListClientsDeps, token: string | undefined): Promise<void> {
  if (token === undefined) throw new DomainError('missing_token', 'The master token is required.');
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
