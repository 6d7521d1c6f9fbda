import { expect, it } from 'vitest';
import { buildTestConsole } from '../../support/build-test-console.js';

it('shows who the person is, and what the role means', async () => {
  const here = await buildTestConsole();
  const page = await here.get('/session', 'operator');
  expect(page.status).toBe(200);
  for (const text of [
    'A operator',
    'operator-subject',
    'operator:a-operator',
    'You may also make everyday changes to one client, token or session.',
  ])
    expect(page.text).toContain(text);
  expect((await here.get('/session', 'viewer')).text).toContain('You may open every page');
});
