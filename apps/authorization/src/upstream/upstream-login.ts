import { randomAlphanumeric } from '@vestibule/crypto';
import { type Clock, nowSeconds, type RandomSource } from '@vestibule/protocol';
import type { UpstreamAttempt, UpstreamLogin, UpstreamProvider } from '@vestibule/service/upstream';
import type { PendingInteraction } from '../interaction/interaction-host.js';
import { upstreamAccount } from './upstream-claims.js';
import type { UpstreamRecords } from './upstream-records.js';
import { upstreamSubject } from './upstream-subject.js';

/** Dependencies of a login at the other provider. */
export interface UpstreamLoginDeps {
  readonly provider: UpstreamProvider;
  readonly records: UpstreamRecords;
  readonly random: RandomSource;
  readonly clock: Clock;
}

/** A login that was verified and stored. */
export interface FinishedLogin {
  readonly accountId: string;
  readonly login: UpstreamLogin;
  /** The secret name of the login, for the cookie of the browser. */
  readonly session: string;
}

const SECRET_LENGTH = 43;
/** The `state` begins with the interaction that the browser returns to. */
const STATE = /^(?<uid>[\w-]{1,64})\.[A-Za-z0-9]{43}$/;

/** The interaction that a response belongs to; `undefined` for any other text. */
export function interactionOf(state: string | null): string | undefined {
  return STATE.exec(state ?? '')?.groups?.['uid'];
}

/**
 * Starts a login of an interaction. A page that is opened again continues the same attempt.
 * @returns the address of the other provider
 * @throws UpstreamError
 */
export async function startLogin(
  { provider, records, random, clock }: UpstreamLoginDeps,
  uid: string,
  pending: PendingInteraction,
): Promise<URL> {
  const { maxAgeSeconds, ...wishes } = pending;
  const secret = () => randomAlphanumeric(SECRET_LENGTH, random);
  const started = await records.attempts.find(uid);
  const attempt: UpstreamAttempt = started ?? {
    state: `${uid}.${secret()}`,
    nonce: secret(),
    verifier: secret(),
    startedAt: nowSeconds(clock),
    ...(maxAgeSeconds !== undefined && { maxAgeSeconds }),
  };
  const address = await provider.authorizationUrl(attempt, wishes);
  if (started === undefined) await records.attempts.save(uid, attempt);
  return address;
}

/**
 * Takes the attempt that a response belongs to, so that no other response is accepted for it.
 * @returns `undefined` if there is none
 */
export async function takeAttempt(
  { records }: Pick<UpstreamLoginDeps, 'records'>,
  uid: string,
  query: string,
): Promise<UpstreamAttempt | undefined> {
  const attempt = await records.attempts.find(uid);
  if (attempt === undefined || new URLSearchParams(query).get('state') !== attempt.state) return undefined;
  await records.attempts.end(uid);
  return attempt;
}

/**
 * Verifies the response of the other provider, and stores the account and the session.
 * @throws UpstreamError
 */
export async function finishLogin(
  { provider, records }: UpstreamLoginDeps,
  query: string,
  attempt: UpstreamAttempt,
): Promise<FinishedLogin> {
  const login = await provider.finish(query, attempt);
  const accountId = upstreamSubject(login.issuer, login.subject);
  await records.accounts.save(accountId, upstreamAccount(login.claims));
  return { accountId, login, session: await records.sessions.open(accountId, login) };
}
