import type { Digester } from '@vestibule/crypto/data-keys';
import { openTestDataKeys } from '@vestibule/crypto/testing';
import { beforeAll, expect, it } from 'vitest';
import { issueLogoutReturn, type LogoutReturnDeps, readLogoutReturn } from './logout-return.js';

const NOW = 1_780_315_200;
const REDIRECT = 'https://app.example/bye?state=%C3%A9&x=1';

let ours: Digester;
let others: Digester;

beforeAll(async () => {
  [{ digester: ours }, { digester: others }] = [await openTestDataKeys(), await openTestDataKeys()];
});

const depsAt = (seconds: number, digester = ours): LogoutReturnDeps => ({
  clock: { nowMs: () => seconds * 1_000 },
  digester,
});

it('leads to the address that it was issued for, or to none, for ten minutes', () => {
  const state = issueLogoutReturn(depsAt(NOW), { redirect: REDIRECT });
  expect(state).toMatch(/^[\w.-]+$/);
  expect(readLogoutReturn(depsAt(NOW + 599), state)).toEqual({ redirect: REDIRECT });
  expect(readLogoutReturn(depsAt(NOW + 600), state)).toBeUndefined();
  expect(readLogoutReturn(depsAt(NOW), issueLogoutReturn(depsAt(NOW), {}))).toEqual({});
});

it('leads nowhere if any part of it was changed, or if another server issued it', () => {
  const state = issueLogoutReturn(depsAt(NOW), { redirect: REDIRECT });
  const [expiry = '', address = '', digest = ''] = state.split('.');
  const elsewhere = Buffer.from('https://evil.example').toString('base64url');
  for (const changed of [
    '',
    `${Number(expiry) + 1}.${address}.${digest}`,
    `${expiry}.${elsewhere}.${digest}`,
    `${expiry}..${digest}`,
    `${expiry}.${address}.${'A'.repeat(43)}`,
    `${state}.x`,
    issueLogoutReturn(depsAt(NOW, others), { redirect: REDIRECT }),
  ])
    expect(readLogoutReturn(depsAt(NOW), changed), changed).toBeUndefined();
});
