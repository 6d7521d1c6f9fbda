import {
  checkInitialGrant,
  type InitialAccessToken,
  type InitialAccessTokenStore,
} from '@vestibule/clients/registration';
import { randomAlphanumeric } from '@vestibule/crypto';
import type { Digester } from '@vestibule/crypto/data-keys';
import { signJwt } from '@vestibule/crypto/jwt';
import type { KeyRing } from '@vestibule/crypto/signing-keys';
import {
  type Clock,
  DomainError,
  epochSeconds,
  type Issuer,
  nowSeconds,
  type RandomSource,
} from '@vestibule/protocol';
import { type AsymmetricAlgorithm, JWT_TYP, registrationEndpoint } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import { formatScope, type Scope } from '@vestibule/scopes';
import { JWT_MAX_LENGTH } from '../token-syntax.js';
import { checkLifetime } from './access-token-grant.js';
import { randomTokenText } from './issue-identifier-token.js';
import { initialTokenName } from './read-initial-access-token.js';

/** The grant for which an initial access token is issued (registration/API.md#scopes). */
export interface InitialAccessTokenGrant {
  /** The `client-reg` values. */
  readonly scope: Scope;
  /** The issuer, the registration endpoint, or both. Default: the registration endpoint. */
  readonly audience?: readonly string[];
  /** Whole seconds, from 1 to `MAX_TOKEN_LIFETIME_SECONDS`. */
  readonly lifetimeSeconds: number;
  /** Number of registrations that the token can be used for. Default: 1. */
  readonly uses?: number;
  readonly label?: string;
  /** Metadata with which every registration with the token starts. */
  readonly metadataTemplate?: JsonObject;
  /** `cnf`: the certificate that the registration request must present (RFC 8705 section 3.1). */
  readonly confirmation?: JsonObject;
  /** `identifier` (default), or `jwt`, which gateways in front of the endpoint can read. */
  readonly format?: 'identifier' | 'jwt';
}

/** Dependencies of issuing initial access tokens. */
export interface InitialAccessTokenDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  readonly random: RandomSource;
  readonly digester: Digester;
  readonly initialAccessTokens: Pick<InitialAccessTokenStore, 'insert'>;
  /** Length of an identifier-based token in characters, from 43 (256 bits) to 256. */
  readonly tokenLength: number;
  /** The provider's key ring, for JWTs. */
  readonly keys: Pick<KeyRing, 'signingKey'>;
  readonly algorithm: AsymmetricAlgorithm;
}

/** An issued initial access token in the form that its holder receives, with its stored record. */
export interface IssuedInitialAccessToken {
  readonly accessToken: string;
  readonly state: InitialAccessToken;
}

const MAX_USES = 1_000_000;
const MAX_LABEL_LENGTH = 255;

const JTI_LENGTH = 22;

/**
 * Issues an initial access token: a random text, stored under a digest in a namespace of its own, so that it is never
 * an access token. A JWT has a type of its own for the same reason, and is stored under its `jti`, so that its uses are
 * counted and it can be revoked. When it returns, the token is usable on every instance.
 *
 * @throws DomainError `invalid_request` when the scope is empty, when lifetime, uses, label, audience, template or
 *   confirmation are invalid, or when the token would exceed 8,192 characters
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

/** A token, with the digest under which it is stored. */
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
    throw new DomainError(
      'invalid_request',
      'The token would exceed 8192 characters; request an identifier-based one',
    );
  return { accessToken, name: initialTokenName(jti) };
}

type CompleteGrant = InitialAccessTokenGrant & {
  readonly uses: number;
  readonly audience: readonly string[];
};

function checkTerms(issuer: Issuer, { scope, uses, label, audience }: CompleteGrant): void {
  if (scope.size === 0) throw new DomainError('invalid_request', 'scope: must contain a client-reg value');
  if (!Number.isSafeInteger(uses) || uses < 1 || uses > MAX_USES)
    throw new DomainError('invalid_request', 'uses: must be a whole number from 1 to 1000000');
  if (label !== undefined && label.length > MAX_LABEL_LENGTH)
    throw new DomainError('invalid_request', 'label: must have at most 255 characters');
  if (audience.length === 0) throw new DomainError('invalid_request', 'aud: must not be empty');
  if (!audience.every((member) => member === issuer || member === registrationEndpoint(issuer)))
    throw new DomainError('invalid_request', 'aud: must be the issuer or the registration endpoint');
}
