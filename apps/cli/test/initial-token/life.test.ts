import { expect, it, onTestFinished } from 'vitest';
import { startInstallation } from '../support/installation.js';

it('issues an initial access token, lists it without showing it, and revokes it', async () => {
  const { type, file, events, close } = await startInstallation();
  onTestFinished(close);
  const template = await file('template.json', '{"software_id":"partner"}');
  const created = await type([
    ...['initial-token', 'create', '--scope', 'client-reg:grant:code', '--uses', '3', '--label', 'partners'],
    ...['--template', template, '--actor', 'alice', '--json'],
  ]);
  const { access_token: token, id } = JSON.parse(created.stdout);
  expect(token).toMatch(/^\w{43}$/);
  const listed = await type(['initial-token', 'list', '--json']);
  expect(JSON.parse(listed.stdout)).toEqual([
    expect.objectContaining({
      ...{ id, scope: 'client-reg:grant:code', uses: 0, uses_left: 3, label: 'partners' },
      metadata: { software_id: 'partner' },
    }),
  ]);
  expect(listed.stdout).not.toContain(token);
  expect(await type(['initial-token', 'revoke', id])).toMatchObject({ code: 0, stdout: 'Revoked.\n' });
  expect(await events()).toEqual([
    `operator:alice initial_access_token.issued initial_access_token:${id}`,
    `operator:cli initial_access_token.revoked initial_access_token:${id}`,
  ]);
});

it('issues nothing that registers nobody', async () => {
  const { type, events, close } = await startInstallation();
  onTestFinished(close);
  expect(await type(['initial-token', 'create', '--scope', 'read client-reg'])).toMatchObject({ code: 2 });
  expect(await events()).toEqual([]);
});
