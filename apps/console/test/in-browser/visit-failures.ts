import { freePort } from '@vestibule/local-services';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { consoleWithoutDatabase } from '../support/console-without-database.js';
import { HOSTILE_NAME } from '../support/hostile-rows.js';
import { aPage, type OpenConsole } from './open-console.js';
import type { Visits } from './visits.js';

/** Begins visits with another page, of the console or of another origin. */
export type BeginVisits = (page: Page, origin?: string) => Visits;

/** Visits the pages of requests that are refused, or cannot be carried out. */
export async function visitFailures(open: OpenConsole, begin: BeginVisits): Promise<void> {
  const typed = { client_name: HOSTILE_NAME, contacts: HOSTILE_NAME };
  const viewer = begin(await aPage(open, 'viewer'));
  await viewer.open('/session');
  await viewer.open('/keys/new?ring=provider');
  await viewer.open('/clients');
  await viewer.send('/clients/hostile-1/edit', typed, 'requires the role');

  const admin = begin(await aPage(open, 'admin'));
  await admin.open('/');
  await admin.open('/none');
  await admin.open('/federation/explain');
  await admin.open('/clients');
  await admin.send('/clients/hostile-1/edit', { form_token: 'earlier', ...typed }, 'logged in again since');
  await admin.page.context().clearCookies();
  await admin.send('/clients/hostile-1/edit', typed);
}

/** Visits a console whose database cannot be reached, and which is in no federation. */
export async function visitWithoutDatabase(open: OpenConsole, begin: BeginVisits): Promise<void> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const app = consoleWithoutDatabase(open.console, origin);
  onTestFinished(() => app.close());
  await app.listen({ host: '127.0.0.1', port });
  const visits = begin(await aPage({ ...open, origin }, 'admin'), origin);
  await visits.open('/clients');
  await visits.open('/federation', 'FEDERATION_ENABLED');
  await visits.send('/federation/explain', { entity: 'https://entity.example' });
  await visits.open('/session');
  await visits.send('/clients/hostile-1/edit', { client_name: HOSTILE_NAME });
  await visits.open('/token');
  await visits.fill({ token: 'a'.repeat(43) });
  await visits.press('Explain the token');
}
