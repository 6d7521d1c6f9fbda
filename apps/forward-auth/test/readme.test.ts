import { readdir, readFile } from 'node:fs/promises';
import { type ErrorOccasions, errorsReference } from '@vestibule/http/errors';
import { settingsReference } from '@vestibule/service/settings';
import { metricsReference } from '@vestibule/service/testing';
import { readmeTable, tableRows } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { build } from '../src/build.js';
import { FORWARD_AUTH_ERRORS, ForwardAuthSettings, loadForwardAuthConfig } from '../src/index.js';
import { settingsFor } from './support/forward-auth-fixture.js';

const README = new URL('../README.md', import.meta.url);
const EXAMPLES = new URL('../examples/', import.meta.url);

it('documents every setting and every error as they are', async () => {
  const text = await readFile(README, 'utf8');
  expect(readmeTable(text, 'settings')).toEqual(tableRows(settingsReference(ForwardAuthSettings)));
  expect(readmeTable(text, 'errors')).toEqual(tableRows(errorsReference(FORWARD_AUTH_ERRORS, OCCASIONS)));
});

it('documents every metric that a scrape returns', async () => {
  const own = {
    ...settingsFor({ url: 'https://127.0.0.1:1/introspect' }),
    TOKEN_CHANGES_FOLLOWED: 'true',
    TOKEN_CHANGES_ENDPOINT: 'https://127.0.0.1:1/changes',
    EGRESS_ALLOW_HOSTS: '127.0.0.1',
  };
  const metrics = await metricsReference({
    name: 'forward-auth',
    load: (environment) => loadForwardAuthConfig({ ...environment, ...own }),
    build,
  });
  expect(readmeTable(await readFile(README, 'utf8'), 'metrics')).toEqual(tableRows(metrics));
});

it('shows the examples that the tests run, as they are', async () => {
  const text = await readFile(README, 'utf8');
  for (const name of await readdir(EXAMPLES)) {
    const example = await readFile(new URL(name, EXAMPLES), 'utf8');
    expect(text.includes(` ${name}\n${example}\`\`\``), name).toBe(true);
  }
});

/** When each error occurs. */
const OCCASIONS: ErrorOccasions = {
  invalid_request: '`X-Forwarded-*` is missing or repeated, or `Authorization` is repeated',
  not_found: 'unknown path; no resource has these metadata; no tokens are signed',
  method_not_allowed: 'method not supported',
  server_error: 'internal error',
};
