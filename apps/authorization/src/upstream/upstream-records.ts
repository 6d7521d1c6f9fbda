import { randomAlphanumeric } from '@vestibule/crypto';
import type { Adapter } from '@vestibule/oidc-provider-adapter';
import type { RandomSource } from '@vestibule/protocol';
import { isJsonObject } from '@vestibule/protocol/json';
import type { UpstreamAttempt, UpstreamLogin } from '@vestibule/service/upstream';
import type { Account } from '../interaction/interaction.js';

/** A login at the other provider, in one browser. */
export interface UpstreamSession {
  readonly accountId: string;
  readonly idToken: string;
}

/** What is kept about logins at the other provider: encrypted, under digests of their names. */
export interface UpstreamRecords {
  /** The attempt of an interaction that the browser has not returned from. */
  readonly attempts: {
    save(uid: string, attempt: UpstreamAttempt): Promise<void>;
    find(uid: string): Promise<UpstreamAttempt | undefined>;
    /** Ends it, so that its response can be used once. */
    end(uid: string): Promise<void>;
  };
  readonly accounts: {
    save(accountId: string, account: Account): Promise<void>;
    find(accountId: string): Promise<Account | undefined>;
  };
  readonly sessions: {
    /** Stores a session. @returns its secret name, for the cookie of the browser */
    open(accountId: string, login: UpstreamLogin): Promise<string>;
    find(name: string): Promise<UpstreamSession | undefined>;
    end(name: string): Promise<void>;
    /** The account of a session by its `sid` at the other provider. */
    accountOf(issuer: string, sid: string): Promise<string | undefined>;
  };
}

/** The store of one kind of record. */
type Artifacts = (model: string) => Pick<Adapter, 'upsert' | 'find' | 'destroy'>;

const ATTEMPT_SECONDS = 3_600;
/** As long as a grant lives, whose tokens carry the claims. Each login stores them again. */
const ACCOUNT_SECONDS = 365 * 24 * 60 * 60;
const SESSION_SECONDS = 30 * 24 * 60 * 60;
const NAME_LENGTH = 43;

/** Keeps the records in the store of the provider's own. */
export function upstreamRecords(artifacts: Artifacts, random: RandomSource): UpstreamRecords {
  const attempts = artifacts('UpstreamAttempt');
  const accounts = artifacts('UpstreamAccount');
  const sessions = artifacts('UpstreamSession');
  const identifiers = artifacts('UpstreamSid');
  return {
    attempts: {
      save: (uid, attempt) => attempts.upsert(uid, attempt, ATTEMPT_SECONDS),
      find: async (uid) => attemptOf(await attempts.find(uid)),
      end: (uid) => attempts.destroy(uid),
    },
    accounts: {
      save: (accountId, account) => accounts.upsert(accountId, account, ACCOUNT_SECONDS),
      find: async (accountId) => accountOf(await accounts.find(accountId)),
    },
    sessions: {
      open: async (accountId, { issuer, sid, idToken }) => {
        const name = randomAlphanumeric(NAME_LENGTH, random);
        await sessions.upsert(name, { accountId, idToken }, SESSION_SECONDS);
        if (sid !== undefined) await identifiers.upsert(sidName(issuer, sid), { accountId }, SESSION_SECONDS);
        return name;
      },
      find: async (name) => {
        const { accountId, idToken } = membersOf(await sessions.find(name));
        return typeof accountId === 'string' && typeof idToken === 'string'
          ? { accountId, idToken }
          : undefined;
      },
      end: (name) => sessions.destroy(name),
      accountOf: async (issuer, sid) => {
        const { accountId } = membersOf(await identifiers.find(sidName(issuer, sid)));
        return typeof accountId === 'string' ? accountId : undefined;
      },
    },
  };
}

function sidName(issuer: string, sid: string): string {
  return JSON.stringify([issuer, sid]);
}

function membersOf(found: object | undefined): Readonly<Record<string, unknown>> {
  return { ...found };
}

function attemptOf(found: object | undefined): UpstreamAttempt | undefined {
  const { state, nonce, verifier, startedAt, maxAgeSeconds } = membersOf(found);
  const isComplete =
    typeof state === 'string' &&
    typeof nonce === 'string' &&
    typeof verifier === 'string' &&
    typeof startedAt === 'number';
  if (!isComplete) return undefined;
  const age = typeof maxAgeSeconds === 'number' ? { maxAgeSeconds } : {};
  return { state, nonce, verifier, startedAt, ...age };
}

function accountOf(found: object | undefined): Account | undefined {
  const { username, claims } = membersOf(found);
  if (!isJsonObject(claims)) return undefined;
  return { ...(typeof username === 'string' && { username }), claims };
}
