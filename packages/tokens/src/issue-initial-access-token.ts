import { checkInitialGrant, type InitialAccessToken, type InitialAccessTokenStore } from '@vestibule/clients';
import { type Digester, type KeyRing, randomAlphanumeric, signJwt } from '@vestibule/crypto';
import {
  type AsymmetricAlgorithm,
  type Clock,
  DomainError,
  epochSeconds,
  type Issuer,
  type JsonObject,
  JWT_TYP,
  nowSeconds,
  type RandomSource,
  registrationEndpoint,
} from '@vestibule/protocol';
import { formatScope, type Scope } from '@vestibule/scopes';
import { checkLifetime } from './access-token-grant.js';
import { randomTokenText } from './issue-identifier-token.js';
import { initialTokenName } from './read-initial-access-token.js';
import { JWT_MAX_LENGTH } from './token-syntax.js';

/** What an initial access token is issued for (registration/API.md#scopes). */
export interface InitialAccessTokenGrant {
  /** Its client-reg values. */
  readonly scope: Scope;
  /** Our issuer, the registration endpoint, or both; without it the registration endpoint. */
  readonly audience?: readonly string[];
  /** Whole seconds, from 1 to `MAX_TOKEN_LIFETIME_SECONDS`. */
  readonly lifetimeSeconds: number;
  /** How many registrations it is consumed by; 1 by default. */
  readonly uses?: number;
  readonly label?: string;
  /** Metadata that every registration with it starts from. */
  readonly metadataTemplate?: JsonObject;
  /** `cnf`: the certificate that must be proved at the registration (RFC 8705 section 3.1). */
  readonly confirmation?: JsonObject;
  /** `identifier`, the default, or `jwt`, which resource servers in front of the endpoint can read. */
  readonly format?: 'identifier' | 'jwt';
}

/** What issuing an initial access token takes. */
export interface InitialAccessTokenDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  readonly random: RandomSource;
  readonly digester: Digester;
  readonly initialAccessTokens: Pick<InitialAccessTokenStore, 'insert'>;
  /** Characters of a token that is an identifier, from 43 (256 bits) to 256. */
  readonly tokenLength: number;
  /** What JWTs are signed with: the provider's key ring, and which of its keys. */
  readonly keys: Pick<KeyRing, 'signingKey'>;
  readonly algorithm: AsymmetricAlgorithm;
}

/** An initial access token as its holder receives it, with what is stored of it. */
export interface IssuedInitialAccessToken {
  readonly accessToken: string;
  readonly state: InitialAccessToken;
}

const MAX_USES = 1_000_000;
const MAX_LABEL_LENGTH = 255;

const JTI_LENGTH = 22;

/**
 * Issues an initial access token: random, kept under a digest in a namespace of its own, so that it is never an
 * access token. One that is a JWT has a type of its own for the same reason, and is kept under its `jti`: its uses
 * are counted and it can be revoked like any other. When it returns the token is usable everywhere.
 *
 * @throws DomainError `invalid_request` when the scope is empty, or the lifetime, uses, label, audience, template or
 *   confirmation are not acceptable, or the token would exceed 8,192 characters.
 */
export async function issueInitialAccessToken(
  deps: InitialAccessTokenDeps,
  grant: InitialAccessTokenGrant,
): Promise<IssuedInitialAccessToken> {
  const {
    lifetimeSeconds,
    uses = 1,
    audience = [registrationEndpoint(deps.issuer)],
    format,
    ...rest
  } = grant;
  checkLifetime(lifetimeSeconds);
  checkTerms(deps.issuer, { ...grant, uses, audience });
  checkInitialGrant(grant);
  const issuedAt = nowSeconds(deps.clock);
  const terms = { ...rest, audience, issuedAt, expiresAt: epochSeconds(issuedAt + lifetimeSeconds) };
  const { accessToken, name } = format === 'jwt' ? await jwtToken(deps, terms) : identifierToken(deps);
  const digest = deps.digester.digest('initial-access-token', name);
  const state: InitialAccessToken = { ...terms, digest, usesLeft: uses };
  await deps.initialAccessTokens.insert(state);
  return { accessToken, state };
}

/** A token, and what it is kept under. */
interface NamedToken {
  readonly accessToken: string;
  readonly name: string;
}

function identifierToken({ random, tokenLength }: InitialAccessTokenDeps): NamedToken {
  const accessToken = randomTokenText(random, tokenLength);
  return { accessToken, name: accessToken };
}

async function jwtToken(
  { random, issuer, keys, algorithm }: InitialAccessTokenDeps,
  { audience, scope, issuedAt, expiresAt, confirmation }: Omit<InitialAccessToken, 'digest' | 'usesLeft'>,
): Promise<NamedToken> {
  const jti = randomAlphanumeric(JTI_LENGTH, random);
  const claims = {
    iss: issuer,
    aud: audience,
    scope: formatScope(scope),
    iat: issuedAt,
    exp: expiresAt,
    jti,
    ...(confirmation && { cnf: confirmation }),
  };
  const key = keys.signingKey(algorithm);
  const accessToken = await signJwt({ key, typ: JWT_TYP.initialAccessToken, claims });
  if (accessToken.length > JWT_MAX_LENGTH)
    throw new DomainError('invalid_request', 'The token would be too long; ask for an identifier-based one');
  return { accessToken, name: initialTokenName(jti) };
}

type CompleteGrant = InitialAccessTokenGrant & {
  readonly uses: number;
  readonly audience: readonly string[];
};

function checkTerms(issuer: Issuer, { scope, uses, label, audience }: CompleteGrant): void {
  if (scope.size === 0) throw new DomainError('invalid_request', 'scope must hold a client-reg value');
  if (!Number.isSafeInteger(uses) || uses < 1 || uses > MAX_USES)
    throw new DomainError('invalid_request', 'uses must be a whole number from 1 to 1000000');
  if (label !== undefined && label.length > MAX_LABEL_LENGTH)
    throw new DomainError('invalid_request', 'label must have at most 255 characters');
  if (audience.length === 0) throw new DomainError('invalid_request', 'aud must not be empty');
  if (!audience.every((member) => member === issuer || member === registrationEndpoint(issuer)))
    throw new DomainError('invalid_request', 'aud must be the issuer or the registration endpoint');
}
