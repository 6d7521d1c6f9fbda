import { DomainError, nowSeconds } from '@vestibule/protocol';
import { isClientExpired } from './authorize-management.js';
import { type ClientInformation, clientInformation, revealCredentials } from './client-information.js';
import { invalidToken } from './invalid-token.js';
import type { RegistrationAuthorityDeps, RegistrationDeps } from './registration-deps.js';

/** What listing takes besides: telling too weak tokens from invalid ones. */
export type ListClientsDeps = RegistrationDeps &
  Pick<RegistrationAuthorityDeps, 'initialAccessTokens' | 'accessTokens'>;

/**
 * Lists every client (Seed 4.2), page by page as the pages are consumed. Expired clients are left out; expired secrets
 * are shown and never renewed.
 *
 * @throws DomainError `missing_token` without a token; `insufficient_scope` with a live initial access token or access
 *   token; `invalid_token` with any other one that is not the master token.
 */
export async function listClients(
  deps: ListClientsDeps,
  { token }: { readonly token?: string | undefined },
): Promise<AsyncIterable<readonly ClientInformation[]>> {
  if (token === undefined) throw new DomainError('missing_token', 'The master token is needed.');
  if (!deps.masterToken.matches(token)) throw await refusal(deps, token);
  return pages(deps);
}

async function* pages(deps: RegistrationDeps): AsyncGenerator<readonly ClientInformation[]> {
  const { clients, sealer, clock, settings } = deps;
  for await (const page of clients.list()) {
    const now = nowSeconds(clock);
    const live = page.filter((client) => !isClientExpired(client, now));
    yield await Promise.all(
      live.map(async (client) =>
        clientInformation(client, settings.issuer, await revealCredentials(sealer, client)),
      ),
    );
  }
}

async function refusal(deps: ListClientsDeps, token: string): Promise<DomainError> {
  const issued = await deps.initialAccessTokens.find(deps.digester.candidates('initial-access-token', token));
  const isLiveInitialToken =
    issued !== undefined && issued.usesLeft > 0 && issued.expiresAt > nowSeconds(deps.clock);
  if (isLiveInitialToken || (await deps.accessTokens.isAccessToken(token))) {
    return new DomainError('insufficient_scope', 'The access token does not permit listing clients.');
  }
  return invalidToken('not the master token');
}
