import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { ResourceServer } from '../clients/introspect.js';
import { type BrowserTools, enterPassword } from '../clients/log-in.js';
import type { DemoApplication } from '../demo/demo-application.js';
import { ensure } from '../tour-error.js';
import { checkAccessibility } from './accessibility.js';

/** Dependencies of the logout chapters. */
export interface LogoutEnvironment extends BrowserTools {
  readonly browser: Browser;
  readonly baseUrl: string;
  readonly a: DemoApplication;
  readonly b: DemoApplication;
  readonly server: ResourceServer;
  /** Whether the applications are also notified through the back channel. */
  readonly isNotified: boolean;
}

/** Logs out of two applications and of the provider, in every supported way. @throws TourError */
export async function runLogoutChapters(environment: LogoutEnvironment): Promise<void> {
  const { reporter, page } = environment;
  reporter.chapter('Alice logs out of A and stays logged in at the provider: only A is notified');
  await logInToBoth(environment, page);
  await checkConfirmationPage(environment);
  await declineToLogOut(environment);

  reporter.chapter(
    'Alice logs out of the provider: both applications are notified, and the browser returns to A',
  );
  await logInToBoth(environment, page);
  await acceptToLogOut(environment);
  await checkLoggedOut(environment);

  reporter.chapter('A sends the logout request as a form from its own site, without the session cookie');
  await logInToBoth(environment, page);
  await postFromApplication(environment);

  reporter.chapter(
    'B’s front-channel logout page does not respond: the browser continues after three seconds',
  );
  await continueWithoutResponse(environment);

  reporter.chapter('Alice logs out in a browser without JavaScript');
  await logOutWithoutJavaScript(environment);

  reporter.chapter('Logout requests with an invalid hint or redirect URI get an error page');
  await logInToBoth(environment, page);
  await checkErrorPages(environment);
}

/** Logs in to both applications without printing; the second login needs no password. */
async function logInToBoth({ reporter, a, b }: LogoutEnvironment, page: Page): Promise<void> {
  reporter.note('  Alice logs in to A and B again.');
  await reporter.repeat(async () => {
    for (const application of [a, b]) await logIn(page, application);
  });
}

async function logIn(page: Page, application: DemoApplication): Promise<void> {
  await page.goto(`${application.address}/login`);
  for (let step = 0; step < 2 && !page.url().startsWith(application.address); step += 1) {
    if ((await page.locator('input[type=password]').count()) > 0) {
      await enterPassword(page);
    } else {
      await page.locator('button[value=consent]').click();
    }
    await page.waitForLoadState();
  }
  await page.waitForURL(`${application.address}/`);
  ensure(application.tokens() !== undefined, `${application.name} got no tokens.`);
}

/** The logout URL at the provider, as A requests it. */
function logoutAddress(
  { baseUrl, a }: LogoutEnvironment,
  parameters: Readonly<Record<string, string>> = {},
  hint = a.tokens()?.id_token ?? '',
): string {
  return `${baseUrl}/logout?${new URLSearchParams({ id_token_hint: hint, ...parameters })}`;
}

function backAt({ a }: LogoutEnvironment): string {
  return a.loggedOutUri;
}

/** The longest permitted duration of a notification, in milliseconds. */
const NOTIFICATION_MS = 5_000;
const POLL_MS = 10;

/** Waits until the server has posted the logout token of a session to an application. @throws TourError */
async function checkNotified({ isNotified }: LogoutEnvironment, application: DemoApplication, sid: unknown) {
  if (!isNotified) return;
  const since = performance.now();
  while (!application.logoutTokens.some((claims) => claims['sid'] === sid)) {
    const isLate = performance.now() - since > NOTIFICATION_MS;
    ensure(!isLate, `${application.name} was not notified through the back channel.`);
    await pause(POLL_MS);
  }
}

/** The session identifier at an application. */
function sidOf(application: DemoApplication): unknown {
  return application.tokens()?.claims()?.['sid'];
}

/** The languages in which every page is checked; one of them is written from right to left. */
const LANGUAGES = ['en', 'de', 'ar'] as const;

/** Checks a page in every language, width and scheme, and its accessibility; only the first language is printed. */
async function checkPageInEachLanguage(
  environment: LogoutEnvironment,
  name: string,
  open: (language: string) => Promise<unknown>,
): Promise<void> {
  const [first, ...others] = LANGUAGES;
  const checkIn = async (language: string) => {
    await open(language);
    await checkPage(environment, `${name}-${language}`, language);
  };
  await checkIn(first);
  await environment.reporter.repeat(async () => {
    for (const language of others) await checkIn(language);
  });
}

async function checkPage(
  { page, gallery }: LogoutEnvironment,
  name: string,
  language: string,
): Promise<void> {
  const shown = await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);
  ensure(shown[0] === language, `The page "${name}" has the language ${shown[0]}, not ${language}.`);
  ensure(
    shown[1] === (language === 'ar' ? 'rtl' : 'ltr'),
    `The page "${name}" has the text direction ${shown[1]}.`,
  );
  await gallery.show(page, name);
  await checkAccessibility(page, name);
}

/** Presses one of the two buttons. */
async function press(page: Page, decision: 'accept' | 'decline'): Promise<void> {
  await page.locator(`button[value=${decision}]`).click();
}

async function checkConfirmationPage(environment: LogoutEnvironment): Promise<void> {
  const { page, reporter } = environment;
  await checkPageInEachLanguage(environment, 'confirmation', (language) =>
    page.goto(logoutAddress(environment, { ui_locales: language })),
  );
  reporter.passed(
    'The confirmation page is shown in English, German and Arabic, without accessibility findings.',
  );
}

async function declineToLogOut(environment: LogoutEnvironment): Promise<void> {
  const { page, reporter, a, b } = environment;
  const before = { a: a.frontchannelRequests.length, b: b.frontchannelRequests.length };
  const [sid, sidAtB] = [sidOf(a), sidOf(b)];
  await page.goto(
    logoutAddress(environment, { post_logout_redirect_uri: backAt(environment), state: 'from A & back' }),
  );
  await press(page, 'decline');
  await page.waitForURL(/logged-out/);
  ensure(new URL(page.url()).searchParams.get('state') === 'from A & back', 'The state was not returned.');
  ensure(a.tokens() === undefined && a.frontchannelRequests.length === before.a + 1, 'A was not notified.');
  await checkNotified(environment, a, sid);
  await page.goto(`${b.address}/login`);
  await page.waitForURL(`${b.address}/`);
  ensure(b.frontchannelRequests.length === before.b && sidOf(b) === sidAtB, 'B was notified as well.');
  ensure(
    !b.logoutTokens.some((claims) => claims['sid'] === sidAtB),
    'B was notified through the back channel as well.',
  );
  reporter.passed('A was notified, B was not, and Alice is still logged in at the provider.');
}

async function acceptToLogOut(environment: LogoutEnvironment): Promise<void> {
  const { page, reporter, a, b, baseUrl } = environment;
  const sids = [a, b].map(sidOf);
  const accessTokens = {
    'The access token of A': a.tokens()?.access_token ?? '',
    'The access token of B': b.tokens()?.access_token ?? '',
  };
  await page.goto(logoutAddress(environment, { post_logout_redirect_uri: backAt(environment), state: 's' }));
  await press(page, 'accept');
  await page.waitForURL(/logged-out/);
  ensure(new URL(page.url()).searchParams.get('state') === 's', 'The state was not returned.');
  const since = performance.now();
  for (const [index, application] of [a, b].entries()) {
    const { name, frontchannelRequests, tokens } = application;
    const last = frontchannelRequests.at(-1);
    ensure(tokens() === undefined, `Alice is still logged in to ${name}.`);
    ensure(
      last?.get('iss') === baseUrl && last.get('sid') === sids[index],
      `${name} was notified of another session.`,
    );
    await checkNotified(environment, application, sids[index]);
  }
  reporter.passed(
    'Both applications were notified in frames, with iss and sid, and the browser returned to A with its state.',
  );
  if (environment.isNotified)
    reporter.passed('Both also received a valid logout token through the back channel.');
  await environment.server.checkInactive(accessTokens, since);
}

async function checkLoggedOut(environment: LogoutEnvironment): Promise<void> {
  const { page, reporter, baseUrl } = environment;
  await page.goto(`${baseUrl}/logout`);
  ensure((await page.title()) === 'You’re not logged in', 'The provider still has a logged-in session.');
  const cookies = await page.context().cookies(baseUrl);
  ensure(
    !cookies.some(({ name }) => name.endsWith('vestibule_session')),
    'The browser still has the session cookie.',
  );
  await page.goto(`${environment.a.address}/login`);
  ensure(
    (await page.locator('input[type=password]').count()) === 1,
    'A new login does not require the password.',
  );
  await checkPageInEachLanguage(environment, 'not-logged-in', (language) =>
    page.goto(`${baseUrl}/logout?ui_locales=${language}`),
  );
  reporter.passed('Alice is logged out, and the session cookie is deleted.');
}

async function postFromApplication(environment: LogoutEnvironment): Promise<void> {
  const { page, reporter, a, baseUrl } = environment;
  const fields = {
    id_token_hint: a.tokens()?.id_token ?? '',
    post_logout_redirect_uri: backAt(environment),
    state: 's',
  };
  await page.goto(`${a.address}/`);
  await page.evaluate(
    ([action, entries]) => {
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action });
      for (const [name, value] of entries) {
        const input = document.createElement('input');
        Object.assign(input, { type: 'hidden', name, value });
        form.append(input);
      }
      document.body.append(form);
      form.submit();
    },
    [`${baseUrl}/logout`, Object.entries(fields)] as const,
  );
  await page.locator('button[value=accept]').waitFor();
  await press(page, 'accept');
  await page.waitForURL(/logged-out/);
  reporter.passed('The confirmation page is shown, and the browser returned to A with its state.');
}

async function continueWithoutResponse(environment: LogoutEnvironment): Promise<void> {
  const { page, reporter, b } = environment;
  b.hang(true);
  await checkPageInEachLanguage(environment, 'logged-out-with-failures', async (language) => {
    await logInToBoth(environment, page);
    const sid = sidOf(b);
    await page.goto(logoutAddress(environment, { ui_locales: language }));
    await press(page, 'accept');
    // A delivered back-channel notification counts as confirmed, even if the front channel fails.
    const result = environment.isNotified ? '.confirmed' : '.failed';
    await page.locator(`#clients ${result}`).first().waitFor();
    await checkNotified(environment, b, sid);
    ensure(await page.getByRole('link').isVisible(), 'The page has no continue link.');
  });
  b.hang(false);
  reporter.passed('The page shows the result for each application and a continue link.');
  if (environment.isNotified) reporter.passed('B was notified through the back channel.');
}

async function logOutWithoutJavaScript(environment: LogoutEnvironment): Promise<void> {
  const { browser, reporter, a, b } = environment;
  const context = await browser.newContext({ locale: 'de-AT', javaScriptEnabled: false });
  const page = await context.newPage();
  await logInToBoth(environment, page);
  const before = [a, b].map(({ frontchannelRequests }) => frontchannelRequests.length);
  await page.goto(logoutAddress(environment, { post_logout_redirect_uri: backAt(environment), state: 's' }));
  await press(page, 'accept');
  await page.getByRole('link', { name: /Weiter zu/ }).waitFor();
  await environment.gallery.snap(page, 'without-javascript');
  await page.waitForURL(/logged-out/);
  const after = [a, b].map(({ frontchannelRequests }) => frontchannelRequests.length);
  ensure(
    after.every((count, index) => count === (before[index] ?? 0) + 1),
    'Not every application was notified.',
  );
  await context.close();
  reporter.passed(
    'Without JavaScript, both applications are notified, and the browser continues after three seconds.',
  );
}

async function checkErrorPages(environment: LogoutEnvironment): Promise<void> {
  const { browser, page, reporter, baseUrl, a } = environment;
  const evil = { post_logout_redirect_uri: 'https://evil.example/' };
  const hint = a.tokens()?.id_token;
  await checkPageInEachLanguage(environment, 'bad-hint', (language) =>
    page.goto(logoutAddress(environment, { ...evil, ui_locales: language }, 'not.a.token')),
  );
  await checkPageInEachLanguage(environment, 'redirect-refused', (language) =>
    page.goto(logoutAddress(environment, { ...evil, ui_locales: language })),
  );
  await checkPageInEachLanguage(environment, 'application-only', async (language) => {
    await logInToBoth(environment, page);
    await page.goto(logoutAddress(environment, { ...evil, ui_locales: language }));
    await press(page, 'decline');
    await page.locator('#clients span', { hasText: /./ }).waitFor();
    ensure(page.url().startsWith(baseUrl), 'The browser was redirected.');
  });
  await checkPageInEachLanguage(environment, 'still-logged-in', async (language) => {
    await page.goto(logoutAddress(environment, { ui_locales: language }, hint));
    await press(page, 'decline');
    await page.getByRole('heading').waitFor();
  });
  for (const language of LANGUAGES) {
    const context = await browser.newContext({ locale: language });
    const newPage = await context.newPage();
    await newPage.goto(`${baseUrl}/logout?state=1&state=2`);
    await checkPage({ ...environment, page: newPage }, `bad-request-${language}`, language);
    await context.close();
  }
  reporter.passed(
    'The page reports an invalid hint and an unregistered redirect URI, and the browser is not redirected.',
  );
}
