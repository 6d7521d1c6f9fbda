import { type Closers, freePort } from '@vestibule/local-services';
import type { Browser, Page } from 'playwright-core';
import { checkActive } from '../clients/check-active.js';
import type { ResourceServer } from '../clients/introspect.js';
import { type BrowserTools, enterPassword, logInWithoutSession } from '../clients/log-in.js';
import { type RegisteredClient, text } from '../clients/register.js';
import { type DemoApplication, startDemoApplication } from '../demo/demo-application.js';
import { metadataOf } from '../demo/demo-metadata.js';
import { relyingParty } from '../demo/relying-party.js';
import { checkAccessibility } from '../logout/accessibility.js';
import { membersOf, printedFetch } from '../print/printed-fetch.js';
import type { Stack } from '../stack/stack.js';
import { ensure } from '../tour-error.js';

/** What the chapters use. */
export interface ConsoleEnvironment extends BrowserTools {
  readonly browser: Browser;
  readonly server: ResourceServer;
}

const SKIPPED = '\nThe console is skipped: the tour knows its address only on a stack that it starts.';

/**
 * The chapters about the console: an application registers without a token and waits, an operator approves it, and suspends
 * it later, which ends its tokens. @throws TourError when a check fails
 */
export async function runConsoleChapters(
  stack: Stack,
  environment: ConsoleEnvironment,
  toEnd: Closers,
): Promise<void> {
  const { reporter } = environment;
  const { consoleUrl } = stack;
  if (consoleUrl === undefined) {
    reporter.notice(SKIPPED);
    return;
  }
  reporter.chapter('Application C registers without a token, and waits');
  const { application, client } = await registerWithoutToken(stack, environment, toEnd);
  await environment.page.goto(`${application.address}/login`);
  const title = await environment.page.title();
  ensure(title !== 'Log in', 'End-users can log in at an application that waits for approval.');
  reporter.passed('No login at C is possible before it is approved.');

  reporter.chapter('An operator logs in to the console and approves C');
  const console = await openConsole(consoleUrl, environment);
  await approve(console, environment, client);

  reporter.chapter('C works: Alice logs in, and its access token is active');
  const { access_token: token } = await logInWithoutSession(environment, application);
  await checkActive(reporter, environment.server, { client, token });
  await explain(console, environment, { token, expected: /State\s*active/, name: 'console-token-active' });

  reporter.chapter('The operator suspends C, and its tokens end while the console shows it');
  await suspend(console, environment, { client, token });
}

interface Registered {
  readonly application: DemoApplication;
  readonly client: RegisteredClient;
}

async function registerWithoutToken(
  { baseUrl }: Stack,
  { reporter }: ConsoleEnvironment,
  toEnd: Closers,
): Promise<Registered> {
  const name = 'Application C';
  const application = await startDemoApplication(name, await freePort(), { reporter, toEnd });
  const response = await printedFetch(name, reporter)(`${baseUrl}/clients`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadataOf(application, false)),
  });
  ensure([200, 201].includes(response.status), `POST /clients without a token returned ${response.status}.`);
  const members = membersOf(await response.text());
  const client = {
    name,
    id: text(members, 'client_id'),
    secret: text(members, 'client_secret'),
    registrationUri: text(members, 'registration_client_uri'),
    registrationToken: text(members, 'registration_access_token'),
  };
  const { redirectUri } = application;
  application.connect(await relyingParty(baseUrl, { ...client, redirectUri, proof: client }, reporter));
  return { application, client };
}

/** The console in a browser of its own. */
interface OpenConsole {
  readonly url: string;
  readonly page: Page;
}

/** Logs Alice, who is an admin of the demonstration, in to the console. */
async function openConsole(
  url: string,
  { browser, gallery, reporter }: ConsoleEnvironment,
): Promise<OpenConsole> {
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await page.goto(url);
  await enterPassword(page);
  if ((await page.title()) === 'Allow access?') await page.locator('button[value=consent]').click();
  await page.waitForURL(`${url}/`);
  await show({ url, page }, gallery, 'console-overview');
  reporter.passed('Alice is logged in to the console by OpenID Connect.');
  return { url, page };
}

async function approve(
  { url, page }: OpenConsole,
  { gallery, reporter }: ConsoleEnvironment,
  { name }: RegisteredClient,
): Promise<void> {
  await page.goto(`${url}/clients?status=pending`);
  await show({ url, page }, gallery, 'console-pending');
  await page.getByRole('link', { name, exact: true }).click();
  await show({ url, page }, gallery, 'console-client-pending');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('status').waitFor();
  const status = await page.locator('.state').first().textContent();
  ensure(status === 'active', `The console shows the status "${status}" after the approval.`);
  reporter.passed('C waits on a page of the console, and is active after the approval.');
}

async function suspend(
  console: OpenConsole,
  environment: ConsoleEnvironment,
  { client, token }: { readonly client: RegisteredClient; readonly token: string },
): Promise<void> {
  const { url, page } = console;
  const { gallery, reporter, server } = environment;
  await page.goto(`${url}/clients/${client.id}`);
  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('status').waitFor();
  const since = performance.now();
  await show(console, gallery, 'console-client-suspended');
  await server.checkInactive({ 'The access token of C': token }, since);
  await explain(console, environment, {
    token,
    expected: /State\s*not active/,
    name: 'console-token-suspended',
  });
  reporter.passed('The console shows that C is suspended, and that its token is not active.');
}

/** Pastes a token into the console, and checks what it says. */
async function explain(
  console: OpenConsole,
  { gallery, reporter }: ConsoleEnvironment,
  { token, expected, name }: { readonly token: string; readonly expected: RegExp; readonly name: string },
): Promise<void> {
  const { url, page } = console;
  await page.goto(`${url}/token`);
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Explain the token' }).click();
  await page.waitForLoadState();
  const shown = (await page.locator('main').textContent()) ?? '';
  ensure(expected.test(shown), `The console does not explain the token as ${expected.source}: ${shown}`);
  ensure(!shown.includes(token), 'The console repeats the token.');
  await show(console, gallery, name);
  reporter.passed(`The console explains the token: ${expected.source.replaceAll('\\s*', ' ')}.`);
}

async function show(
  { page }: OpenConsole,
  gallery: ConsoleEnvironment['gallery'],
  name: string,
): Promise<void> {
  await gallery.show(page, name);
  await checkAccessibility(page, name);
}
