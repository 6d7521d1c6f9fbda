import { constantTimeEquals, sha256 } from '@vestibule/crypto';
import type { Account, Accounts } from '../interaction/interaction.js';
import { demoClaims } from './demo-claims.js';

/** The accounts of the local stack with their passwords, which are public. */
export type DemoUsers = ReadonlyMap<string, string>;

/** The default accounts. */
export const DEFAULT_DEMO_USERS: DemoUsers = new Map([
  ['alice', 'alice'],
  ['bob', 'bob'],
]);

const NAME = /^[A-Za-z0-9._@-]{1,64}$/;

/** Parses comma-separated `name:password`; `undefined` if malformed. */
export function parseDemoUsers(text: string): DemoUsers | undefined {
  const users = new Map<string, string>();
  for (const entry of text.split(',')) {
    const colon = entry.indexOf(':');
    const name = entry.slice(0, Math.max(colon, 0)).trim();
    const password = entry.slice(colon + 1);
    if (!NAME.test(name) || password === '' || users.has(name)) return undefined;
    users.set(name, password);
  }
  return users;
}

/** Whether the account exists and has this password. */
export function hasPassword(users: DemoUsers, name: string, password: string): boolean {
  const expected = users.get(name);
  return constantTimeEquals(sha256(expected ?? ''), sha256(password)) && expected !== undefined;
}

/** The claims of the demonstration accounts. */
export function demoAccounts(users: DemoUsers): Accounts {
  return { find: async (accountId) => (users.has(accountId) ? demoAccount(accountId) : undefined) };
}

function demoAccount(name: string): Account {
  return { username: name, claims: demoClaims(name) };
}
