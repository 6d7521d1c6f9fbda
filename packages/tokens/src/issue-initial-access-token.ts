import type { InitialAccessToken, InitialAccessTokenStore } from '@vestibule/clients';
import type { Digester } from '@vestibule/crypto';
import {
  type Clock,
  DomainError,
  epochSeconds,
  type Issuer,
  type JsonObject,
  nowSeconds,
  type RandomSource,
  registrationEndpoint,
} from '@vestibule/protocol';
import type { Scope } from '@vestibule/scopes';
import { checkLifetime } from './access-token-grant.js';
import { randomTokenText } from './issue-identifier-token.js';

/** What an initial access token is issued for (Seed 5.1.3). */
export interface InitialAccessTokenGrant {
  /** Its client-reg values. */
  readonly scope: Scope;
  /** Our issuer, the registration endpoint, or both; without it the registration endpoint. */
  readonly audience?: readonly string[];
  /** Whole seconds, from 1 to `MAX_TOKEN_LIFETIME_SECONDS`. */
  readonly lifetimeSeconds: number;
  /** How many registrations it pays for; 1 by default. */
  readonly uses?: number;
  readonly label?: string;
  /** Metadata that every registration with it starts from. */
  readonly metadataTemplate?: JsonObject;
  readonly confirmation?: JsonObject;
}

/** What issuing an initial access token takes. */
export interface InitialAccessTokenDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  readonly random: RandomSource;
  readonly digester: Digester;
  readonly initialAccessTokens: Pick<InitialAccessTokenStore, 'insert'>;
  /** Characters of a token, from 43 (256 bits) to 256. */
  readonly tokenLength: number;
}

/** An initial access token as its holder receives it, with what is stored of it. */
export interface IssuedInitialAccessToken {
  readonly accessToken: string;
  readonly state: InitialAccessToken;
}

const MAX_USES = 1_000_000;
const MAX_LABEL_LENGTH = 255;

/**
 * Issues an initial access token: random, kept under a digest in a namespace of its own, so that it is never an access
 * token. When it returns the token is usable everywhere.
 *
 * @throws DomainError `invalid_request` when the scope is empty, or the lifetime, uses, label or audience are not
 *   acceptable.
 */
export async function issueInitialAccessToken(
  deps: InitialAccessTokenDeps,
  grant: InitialAccessTokenGrant,
): Promise<IssuedInitialAccessToken> {
  const { lifetimeSeconds, uses = 1, audience = [registrationEndpoint(deps.issuer)], ...rest } = grant;
  checkLifetime(lifetimeSeconds);
  checkInitialGrant(deps.issuer, { ...grant, uses, audience });
  const accessToken = randomTokenText(deps.random, deps.tokenLength);
  const issuedAt = nowSeconds(deps.clock);
  const state: InitialAccessToken = {
    ...rest,
    digest: deps.digester.digest('initial-access-token', accessToken),
    audience,
    issuedAt,
    expiresAt: epochSeconds(issuedAt + lifetimeSeconds),
    usesLeft: uses,
  };
  await deps.initialAccessTokens.insert(state);
  return { accessToken, state };
}

type CompleteGrant = InitialAccessTokenGrant & {
  readonly uses: number;
  readonly audience: readonly string[];
};

function checkInitialGrant(issuer: Issuer, { scope, uses, label, audience }: CompleteGrant): void {
  if (scope.size === 0) throw new DomainError('invalid_request', 'scope must hold a client-reg value');
  if (!Number.isSafeInteger(uses) || uses < 1 || uses > MAX_USES)
    throw new DomainError('invalid_request', 'uses must be a whole number from 1 to 1000000');
  if (label !== undefined && label.length > MAX_LABEL_LENGTH)
    throw new DomainError('invalid_request', 'label must have at most 255 characters');
  if (!audience.every((member) => member === issuer || member === registrationEndpoint(issuer)))
    throw new DomainError('invalid_request', 'aud must be the issuer or the registration endpoint');
}
