import type { Page } from 'playwright-core';
import type { Gallery } from '../browser/gallery.js';
import { tabThrough } from '../browser/keyboard.js';
import type { DemoApplication } from '../demo/demo-application.js';
import type { Tokens } from '../demo/relying-party.js';
import type { Narrator } from '../print/narrator.js';
import { ensure } from '../tour-error.js';

/** The browser and its observers. */
export interface Watched {
  readonly page: Page;
  readonly gallery: Gallery;
  readonly narrator: Narrator;
}

/** A user of the local stack. */
const PERSON = { name: 'alice', password: 'alice' };

/** Signs in at an application for the first time, with the keyboard only. @throws TourError */
export async function logInByKeyboard(watched: Watched, application: DemoApplication): Promise<Tokens> {
  const { page, gallery, narrator } = watched;
  await page.goto(application.address);
  await gallery.show(page, 'application');
  await page.keyboard.press('Tab');
  await submit(page);
  await seePage(page, 'Log in');
  await gallery.show(page, 'login');
  await tabThrough(page, ['username', 'password', 'login', 'refuse']);
  narrator.proved(
    'The Tab key leads from the name to the password and the buttons, and the focus can be seen.',
  );
  await page.reload();
  await enter(page, 'not the password');
  const isRefused = await page.getByRole('alert').isVisible();
  ensure(isRefused, 'A wrong password is not answered with a word about it.');
  await gallery.show(page, 'login-refused');
  narrator.proved('A wrong password does not log in, and the page says so.');
  await enter(page, PERSON.password);
  await seePage(page, 'Allow access?');
  await gallery.show(page, 'consent');
  await page.keyboard.press('Tab');
  await tabThrough(page, ['consent', 'refuse']);
  await page.keyboard.press('Shift+Tab');
  await submit(page);
  return arrived(watched, application, 'application-logged-in');
}

/** Signs in at an application in a browser without a session, and grants consent. @throws TourError */
export async function logInAfresh(watched: Watched, application: DemoApplication): Promise<Tokens> {
  const { page, gallery } = watched;
  await page.context().clearCookies();
  await page.goto(`${application.address}/login`);
  await seePage(page, 'Log in');
  await enterPassword(page);
  await seePage(page, 'Allow access?');
  await gallery.show(page, 'consent-afresh');
  await page.locator('button[value=consent]').click();
  return arrived(watched, application, 'application-afresh');
}

/** Fills in the sign-in page and submits it. */
export async function enterPassword(page: Page): Promise<void> {
  await page.fill('#username', PERSON.name);
  await page.fill('#password', PERSON.password);
  await page.locator('button[value=login]').click();
  await page.waitForLoadState();
}

/** The options of a repeated sign-in. */
export interface AgainOptions {
  /** Parameters of the authorization request, besides the usual ones. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Whether consent is required although no password is. */
  readonly isConsentDue: boolean;
}

/**
 * Signs in at an application with the session of the browser.
 * @throws TourError when a password is required, or consent is requested unexpectedly or not at all
 */
export async function logInWithSession(
  watched: Watched,
  application: DemoApplication,
  { parameters = {}, isConsentDue }: AgainOptions,
): Promise<Tokens> {
  const { page, gallery, narrator } = watched;
  await page.goto(`${application.address}/login?${new URLSearchParams(parameters)}`);
  const isAskedForPassword = await page.locator('input[type=password]').count();
  ensure(isAskedForPassword === 0, `${application.name} wants a second login.`);
  const isConsentAsked = (await page.title()) === 'Allow access?';
  const name = application.name;
  ensure(
    isConsentAsked === isConsentDue,
    isConsentDue ? `${name} was allowed nothing, and nobody is asked.` : `${name} was allowed it before.`,
  );
  if (isConsentAsked) {
    await gallery.show(page, 'consent-without-login');
    await page.locator('button[value=consent]').click();
  }
  const tokens = await arrived(watched, application, 'application-with-session');
  narrator.proved(`${application.name} knows who is there without a second login.`);
  return tokens;
}

/** Types name and password and presses Enter. */
async function enter(page: Page, password: string): Promise<void> {
  await page.keyboard.press('Control+A');
  await page.keyboard.type(PERSON.name);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await submit(page);
}

async function submit(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')]);
  await page.waitForLoadState();
}

async function seePage(page: Page, title: string): Promise<void> {
  const found = await page.title();
  ensure(found === title, `The browser shows "${found}" in place of "${title}".`);
}

async function arrived(
  { page, gallery, narrator }: Watched,
  application: DemoApplication,
  picture: string,
): Promise<Tokens> {
  await page.waitForURL(`${application.address}/`);
  await gallery.show(page, picture);
  const tokens = application.tokens();
  const claims = tokens?.claims();
  ensure(tokens !== undefined && claims !== undefined, `${application.name} got no ID token.`);
  ensure(claims.sub === PERSON.name, `${application.name} believes that ${claims.sub} logged in.`);
  ensure(typeof claims['sid'] === 'string', `The ID token of ${application.name} names no session.`);
  narrator.proved(`${application.name} has an ID token of ${claims.sub} that names the session.`);
  return tokens;
}
