import { readAsOldScript, scriptsIn } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp } from '../support/build-test-app.js';
import { authorizationAddress, aVerifier } from '../support/code-flow.js';

it('serves a page with a script in ECMAScript 5 syntax for form_post responses', async () => {
  const { app, register } = await buildTestApp();
  const client = await register();
  const { challenge } = aVerifier();
  const parameters = { response_mode: 'form_post', prompt: 'none' };
  const page = await openBrowser(app).go(authorizationAddress(client, challenge, parameters));
  expect(page.body).toContain('action="https://app.example/cb"');
  const scripts = scriptsIn(page.body);
  expect(scripts).toHaveLength(1);
  for (const script of scripts) expect(() => readAsOldScript(script), script).not.toThrow();
});
