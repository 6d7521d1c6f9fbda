import type { Page } from 'playwright-core';
import type { Gallery } from '../browser/gallery.js';
import { tabThrough } from '../browser/keyboard.js';
import type { DemoApplication } from '../demo/demo-application.js';
import type { Tokens } from '../demo/relying-party.js';
import type { Reporter } from '../print/reporter.js';
import { ensure } from '../tour-error.js';

/** The browser page of the tour, with the screenshots and the printed report. */
export interface BrowserTools {
  readonly page: Page;
  readonly gallery: Gallery;
  readonly reporter: Reporter;
}

/** The user of the local stack. */
const USER = { name: 'alice', password: 'alice' };

/** Signs in at an application for the first time, with the keyboard only. @throws TourError */
export async function logInByKeyboard(tools: BrowserTools, application: DemoApplication): Promise<Tokens> {
  const { page, gallery, reporter } = tools;
  await page.goto(application.address);
  await gallery.show(page, 'application');
  await page.keyboard.press('Tab');
  await submit(page);
  await checkTitle(page, 'Log in');
  await gallery.show(page, 'login');
  await tabThrough(page, ['username', 'password', 'login', 'refuse']);
  reporter.passed(
    'The Tab key moves from the username to the password and the buttons, and the focus is visible.',
  );
  await page.reload();
  await submitCredentials(page, 'not the password');
  const isRefused = await page.getByRole('alert').isVisible();
  ensure(isRefused, 'The page shows no error for a wrong password.');
  await gallery.show(page, 'login-refused');
  reporter.passed('A wrong password is rejected with an error message.');
  await submitCredentials(page, USER.password);
  await checkTitle(page, 'Allow access?');
  await gallery.show(page, 'consent');
  await page.keyboard.press('Tab');
  await tabThrough(page, ['consent', 'refuse']);
  await page.keyboard.press('Shift+Tab');
  await submit(page);
  return checkLoggedIn(tools, application, 'application-logged-in');
}

/** Signs in at an application in a browser without a session, and grants consent. @throws TourError */
export async function logInWithoutSession(
  tools: BrowserTools,
  application: DemoApplication,
): Promise<Tokens> {
  const { page, gallery } = tools;
  await page.context().clearCookies();
  await page.goto(`${application.address}/login`);
  await checkTitle(page, 'Log in');
  await enterPassword(page);
  await checkTitle(page, 'Allow access?');
  await gallery.show(page, 'consent-without-session');
  await page.locator('button[value=consent]').click();
  return checkLoggedIn(tools, application, 'application-without-session');
}

/** Fills in the sign-in page and submits it. */
export async function enterPassword(page: Page): Promise<void> {
  await page.fill('#username', USER.name);
  await page.fill('#password', USER.password);
  await page.locator('button[value=login]').click();
  await page.waitForLoadState();
}

/** The options of a repeated sign-in. */
export interface SessionLogInOptions {
  /** Parameters of the authorization request, besides the usual ones. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Whether consent is required although no password is. */
  readonly isConsentRequired: boolean;
}

/**
 * Signs in at an application with the session of the browser.
 * @throws TourError when a password is required, or consent is requested unexpectedly or not at all
 */
export async function logInWithSession(
  tools: BrowserTools,
  application: DemoApplication,
  { parameters = {}, isConsentRequired }: SessionLogInOptions,
): Promise<Tokens> {
  const { page, gallery, reporter } = tools;
  await page.goto(`${application.address}/login?${new URLSearchParams(parameters)}`);
  const passwordFields = await page.locator('input[type=password]').count();
  ensure(passwordFields === 0, `${application.name} requires a second login.`);
  const isConsentShown = (await page.title()) === 'Allow access?';
  const name = application.name;
  ensure(
    isConsentShown === isConsentRequired,
    isConsentRequired ? `No consent is requested for ${name}.` : `${name} requests consent a second time.`,
  );
  if (isConsentShown) {
    await gallery.show(page, 'consent-without-login');
    await page.locator('button[value=consent]').click();
  }
  const tokens = await checkLoggedIn(tools, application, 'application-with-session');
  reporter.passed(`${application.name} gets Alice’s identity without a second login.`);
  return tokens;
}

/** Types username and password and presses Enter. */
async function submitCredentials(page: Page, password: string): Promise<void> {
  await page.keyboard.press('Control+A');
  await page.keyboard.type(USER.name);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await submit(page);
}

async function submit(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')]);
  await page.waitForLoadState();
}

async function checkTitle(page: Page, title: string): Promise<void> {
  const found = await page.title();
  ensure(found === title, `The browser shows the page "${found}", not "${title}".`);
}

async function checkLoggedIn(
  { page, gallery, reporter }: BrowserTools,
  application: DemoApplication,
  screenshot: string,
): Promise<Tokens> {
  await page.waitForURL(`${application.address}/`);
  await gallery.show(page, screenshot);
  const tokens = application.tokens();
  const claims = tokens?.claims();
  ensure(tokens !== undefined && claims !== undefined, `${application.name} got no ID token.`);
  ensure(claims.sub === USER.name, `The ID token of ${application.name} has the subject ${claims.sub}.`);
  ensure(typeof claims['sid'] === 'string', `The ID token of ${application.name} has no session identifier.`);
  reporter.passed(
    `${application.name} has an ID token with the subject ${claims.sub} and a session identifier.`,
  );
  return tokens;
}
