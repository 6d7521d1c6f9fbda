import { readFile } from 'node:fs/promises';
import { type ErrorOccasions, errorsReference } from '@vestibule/http/errors';
import { settingsReference } from '@vestibule/service/settings';
import { metricsReference } from '@vestibule/service/testing';
import { readmeTable, tableRows } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { build } from '../src/build.js';
import { ConsoleSettings, loadConsoleConfig } from '../src/config.js';
import { consoleErrors } from '../src/frame/console-errors.js';
import { STYLE_PATH } from '../src/frame/static-files.js';
import { ACTION_MATRIX } from './support/role-matrix.js';

const README = new URL('../README.md', import.meta.url);

it('documents every setting and every error as they are', async () => {
  const text = await readFile(README, 'utf8');
  expect(readmeTable(text, 'settings')).toEqual(tableRows(settingsReference(ConsoleSettings)));
  expect(readmeTable(text, 'errors')).toEqual(tableRows(errorsReference(consoleErrors, OCCASIONS)));
});

it('documents every action with the role that it requires', async () => {
  const rows = ACTION_MATRIX.map(
    ({ name, path, role, isTyped }) => `| ${name} | \`POST ${path}\` | ${role} | ${isTyped ? 'yes' : 'no'} |`,
  );
  const [, ...documented] = readmeTable(await readFile(README, 'utf8'), 'roles');
  expect(documented).toEqual(tableRows(rows.join('\n')));
});

it('documents every metric that a scrape returns', async () => {
  const metrics = await metricsReference({
    name: 'console',
    load: (environment) =>
      loadConsoleConfig({
        ...environment,
        CONSOLE_URL: 'https://console.example',
        CONSOLE_CLIENT_SECRET: 'x',
      }),
    build,
    refusedPath: STYLE_PATH,
  });
  expect(readmeTable(await readFile(README, 'utf8'), 'metrics')).toEqual(tableRows(metrics));
});

/** When each error occurs. */
const OCCASIONS: ErrorOccasions = {
  invalid_request: 'malformed request: media type, repeated or too many parameters',
  invalid_token: '`GET /live` without a session, or an action whose session has ended',
  access_denied: 'the role does not suffice, or the form belongs to another session or site',
  not_found:
    'what the page is about does not exist, or no page has this path; without a session, or while the session cannot be checked, the body is empty for such a path',
  method_not_allowed: 'method not supported',
  too_many_requests: 'too many requests: see Limits',
  server_error: 'internal error; the page has the `requestId` of its line in the log',
};
