import { registerClient } from '@vestibule/clients/registration';
import { epochSeconds } from '@vestibule/protocol';
import { parseGrantedScopes, parseScope } from '@vestibule/scopes';
import { aClientId, TEST_NOW } from '@vestibule/testkit';
import { describe, expect, it } from 'vitest';
import type { Role } from '../../../src/frame/operator.js';
import { buildTestConsole, type TestConsole } from '../../support/build-test-console.js';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.js';
import { readText, sentForm } from '../../support/shown-page.js';
import { storedEvents } from '../../support/stored-events.js';
import { issuedInitialToken } from './issued-initial-token.js';

const LIST = '/initial-tokens';
const ISSUE = '/initial-tokens/issue';

const issue = (built: TestConsole, form: Readonly<Record<string, string>>, role: Role = 'operator') =>
  issuedInitialToken(built, form, role);

/** Registers a client with a token, as the registration endpoint does. */
async function use({ deps, store }: TestConsole, token: string, id: string) {
  await registerClient(deps.registration, {
    authority: {
      kind: 'initial_access_token',
      grantedScopes: parseGrantedScopes(parseScope('client-reg') ?? never()),
      consumes: [store.digester.digest('initial-access-token', token)],
    },
    body: {
      redirect_uris: ['https://shop.example/cb'],
      client_name: `Name of ${id}`,
      preferred_client_id: id,
    },
  });
}

function never(): never {
  throw new TypeError('not a scope');
}

describe('initial access tokens', () => {
  it('are issued with rights, uses, lifetime, label and template, and shown once', async () => {
    const testConsole = await buildTestConsole();
    const { get, store } = testConsole;
    const { status, token, shortId } = await issue(testConsole, {
      ...sentForm((await get(ISSUE, 'operator')).text, ISSUE),
      right_code: 'on',
      more_rights: 'client-reg:scope:read',
      uses: '5',
      lifetime: '60',
      label: 'onboarding',
      template: '{"policy_uri": "https://as.example/policy"}',
    });
    expect(status).toBe(200);
    const digest = store.digester.digest('initial-access-token', token);
    const stored = await store.database.initialAccessTokens.find([digest]);
    expect(stored).toMatchObject({
      usesLeft: 5,
      label: 'onboarding',
      expiresAt: Number(stored?.issuedAt) + 60,
      metadataTemplate: { policy_uri: 'https://as.example/policy' },
    });
    for (const page of [LIST, `${LIST}/${shortId}`]) {
      const { text } = await get(page);
      expect(text).not.toContain(token);
      expect(readText(text)).toMatch(/onboarding.*client-reg:grant:code client-reg:scope:read/);
    }
    expect(readText((await get(`${LIST}/${shortId}`)).text)).toContain('https://as.example/policy');
    expect(await storedEvents(testConsole, `initial_access_token:${shortId}`)).toMatchObject([
      { action: 'initial_access_token.issued', actor: 'operator:a-operator' },
    ]);
  });

  it('are JWTs if that is wanted', async () => {
    const { token } = await issue(await buildTestConsole(), { right_code: 'on', format: 'jwt' });
    expect(token.split('.')).toHaveLength(3);
  });

  it('show what came of them, also after they were revoked', async () => {
    const testConsole = await buildTestConsole();
    const { get, post, store } = testConsole;
    const { token, shortId } = await issue(testConsole, { right_all: 'on', uses: '2' }, 'admin');
    await use(testConsole, token, 'shop');
    await use(testConsole, token, 'gone');
    await store.database.clients.delete(aClientId('gone'), TEST_NOW);
    const path = `${LIST}/${shortId}`;
    const page = await get(path, 'admin');
    expect(readText(page.text)).toMatch(/used up.*shop ?Name of shop ?active.*gone ?deleted/);
    expect(page.text).toContain('href="/clients/gone/history"');
    expect(page.text).toContain(`href="${path}/revoke"`);
    const form = sentForm((await get(`${path}/revoke`, 'admin')).text, `${path}/revoke`);
    for (const confirmation of ['', 'other'])
      expect((await post(`${path}/revoke`, { ...form, confirmation })).status).toBe(400);
    expect(await store.database.listedInitialTokens.findByShortId(shortId)).toHaveLength(1);
    const response = await post(`${path}/revoke`, { ...form, confirmation: shortId });
    expect(response.status).toBe(303);
    expect(readText((await get(String(response.headers['location']))).text)).toContain(
      'The token was revoked.',
    );
    expect(readText((await get(path)).text)).toMatch(
      /operator:a-admin ?initial_access_token.revoked.*client_id: shop/,
    );
    expect((await post(`${path}/revoke`)).status).toBe(404);
  });

  it('with elevated rights are for admins only, to issue and to revoke', async () => {
    const testConsole = await buildTestConsole();
    const { get, post, refused, store } = testConsole;
    for (const right of ['right_all', 'right_id', 'right_secret'])
      expect((await issue(testConsole, { [right]: 'on' })).status).toBe(403);
    expect((await issue(testConsole, { more_rights: 'client-reg' })).status).toBe(403);
    expect((await issue(testConsole, { right_code: 'on' }, 'viewer')).status).toBe(403);
    expect((await get(ISSUE, 'viewer')).status).toBe(403);
    expect(refused).toHaveLength(6);
    expect(refused[0]).toMatchObject({ path: ISSUE, required: 'admin', operator: { role: 'operator' } });
    const { shortId } = await issue(testConsole, { right_all: 'on' }, 'admin');
    expect((await get(`${LIST}/${shortId}`, 'operator')).text).not.toContain('/revoke"');
    const confirmed = { confirmation: shortId };
    expect((await get(`${LIST}/${shortId}/revoke`, 'operator')).status).toBe(403);
    expect((await post(`${LIST}/${shortId}/revoke`, confirmed, 'operator')).status).toBe(403);
    expect(await store.database.listedInitialTokens.findByShortId(shortId)).toHaveLength(1);
    const other = await issue(testConsole, { right_code: 'on' });
    const path = `${LIST}/${other.shortId}/revoke`;
    expect((await post(path, { confirmation: other.shortId }, 'viewer')).status).toBe(403);
    expect((await post(path, { confirmation: other.shortId }, 'operator')).status).toBe(303);
  });

  it('are refused with what is wrong beside the field, and what was typed is kept', async () => {
    const testConsole = await buildTestConsole();
    const wrong: readonly (readonly [field: string, value: string])[] = [
      ['more_rights', 'openid'],
      ['uses', '0'],
      ['uses', 'many'],
      ['lifetime', '99999999'],
      ['label', 'l'.repeat(256)],
      ['template', '{"a": '],
      ['template', '[]'],
      ['template', '{"redirect_uris": "no list"}'],
      ['template', '{"scope": "beyond"}'],
      ['format', 'papyrus'],
    ];
    for (const [field, value] of wrong) {
      const { status, text } = await issue(testConsole, { right_code: 'on', [field]: value });
      expect(status, value).toBe(400);
      expect(text, value).toContain(`id="${field}-error"`);
      const form = sentForm(text, ISSUE);
      expect(form['right_code']).toBe('on');
      if (field !== 'format') expect(form[field], value).toBe(value);
    }
    expect((await issue(testConsole, {})).text).toContain('id="more_rights-error"');
    expect((await testConsole.store.database.listedInitialTokens.page({ limit: 5 })).tokens).toEqual([]);
  });

  it('are listed with the last issued first, page by page, each once', async () => {
    const { get, store } = await buildTestConsole();
    const issued: string[] = [];
    const labels = [HOSTILE_TEXTS.element, HOSTILE_TEXTS.attribute, HOSTILE_TEXTS.direction];
    for (let number = 0; number < 30; number += 1) {
      const digest = store.digester.digest('initial-access-token', `token ${number}`);
      issued.unshift(Buffer.from(digest).toString('hex').slice(0, 8));
      await store.database.initialAccessTokens.insert({
        digest,
        scope: parseScope('client-reg') ?? never(),
        audience: [],
        issuedAt: epochSeconds(TEST_NOW + number),
        expiresAt: epochSeconds(TEST_NOW + 900),
        usesLeft: 1,
        label: labels[number % 3] ?? '',
      });
    }
    const first = await get(LIST);
    const next = /href="([^"]+after=[^"]+)"/.exec(first.text)?.[1] ?? '';
    const second = await get(next);
    const listed = [first, second].flatMap(({ text }) => [...text.matchAll(/>([0-9a-f]{8})<\/a>/g)]);
    expect(listed.map(([, shortId]) => shortId)).toEqual(issued);
    for (const { text } of [first, second]) {
      expect(text).not.toMatch(/<script>|<img|[\u202e\u2066]/);
      expect(text.length).toBeLessThan(30_000);
    }
  });

  it('have 404 pages for identifiers of no token', async () => {
    const { get, post } = await buildTestConsole();
    for (const id of ['00000000', 'ISSUED', "'", '%00', '0000000%25']) {
      expect((await get(`${LIST}/${id}`)).status, id).toBe(404);
      expect((await post(`${LIST}/${id}/revoke`)).status, id).toBe(404);
    }
  });
});
