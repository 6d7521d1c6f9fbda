import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { DemoApplication } from '../demo/demo-application.js';
import type { ResourceServer } from '../story/introspect.js';
import { enterPassword, type Watched } from '../story/log-in.js';
import { ensure } from '../tour-error.js';
import { checkAccessibility } from './accessibility.js';

/** What the logout chapters need. */
export interface LogoutStage extends Watched {
  readonly browser: Browser;
  readonly baseUrl: string;
  readonly a: DemoApplication;
  readonly b: DemoApplication;
  readonly server: ResourceServer;
  /** Whether the applications are also notified by the back channel. */
  readonly isNotified: boolean;
}

/** Signs out of two applications and of the provider, in every way. @throws TourError */
export async function tellLogoutStory(stage: LogoutStage): Promise<void> {
  const { narrator, page } = stage;
  narrator.chapter(
    'Alice declines to log out of the provider: the application that asks is told, and nobody else',
  );
  await logInToBoth(stage, page);
  await showRequest(stage);
  await declineToLogOut(stage);

  narrator.chapter('She accepts: both applications are told, and the browser goes back');
  await logInToBoth(stage, page);
  await acceptToLogOut(stage);
  await findNobody(stage);

  narrator.chapter('The application sends a form from its own site, with which browsers send no cookie');
  await logInToBoth(stage, page);
  await postFromApplication(stage);

  narrator.chapter('An application does not answer: after three seconds the browser goes on');
  await goOnWithoutResponse(stage);

  narrator.chapter('Without script everything works too');
  await withoutScript(stage);

  narrator.chapter('What cannot be followed is said');
  await logInToBoth(stage, page);
  await showRefusals(stage);
}

/** Signs in at both applications without printing; the second sign-in needs no password. */
async function logInToBoth({ narrator, a, b }: LogoutStage, page: Page): Promise<void> {
  narrator.say('  Alice logs in at A and B as before.');
  await narrator.asBefore(async () => {
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
  { baseUrl, a }: LogoutStage,
  parameters: Readonly<Record<string, string>> = {},
  hint = a.tokens()?.id_token ?? '',
): string {
  return `${baseUrl}/logout?${new URLSearchParams({ id_token_hint: hint, ...parameters })}`;
}

function backAt({ a }: LogoutStage): string {
  return a.loggedOutUri;
}

/** The longest duration of a notification, in milliseconds. */
const NOTIFICATION_MS = 5_000;
const POLL_MS = 10;

/** Waits until the server has posted the logout token of a session to an application. @throws TourError */
async function seeNotified({ isNotified }: LogoutStage, application: DemoApplication, sid: unknown) {
  if (!isNotified) return;
  const since = performance.now();
  while (!application.notified.some((claims) => claims['sid'] === sid)) {
    const isLate = performance.now() - since > NOTIFICATION_MS;
    ensure(!isLate, `${application.name} was not told by the back channel.`);
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
async function lookInEach(
  stage: LogoutStage,
  name: string,
  open: (language: string) => Promise<unknown>,
): Promise<void> {
  const [first, ...others] = LANGUAGES;
  const lookIn = async (language: string) => {
    await open(language);
    await look(stage, `${name}-${language}`, language);
  };
  await lookIn(first);
  await stage.narrator.asBefore(async () => {
    for (const language of others) await lookIn(language);
  });
}

async function look({ page, gallery }: LogoutStage, name: string, language: string): Promise<void> {
  const shown = await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);
  ensure(shown[0] === language, `The page "${name}" is in ${shown[0]}.`);
  ensure(shown[1] === (language === 'ar' ? 'rtl' : 'ltr'), `The page "${name}" runs ${shown[1]}.`);
  await gallery.show(page, name);
  await checkAccessibility(page, name);
}

/** Presses one of the two buttons. */
async function press(page: Page, decision: 'accept' | 'decline'): Promise<void> {
  await page.locator(`button[value=${decision}]`).click();
}

async function showRequest(stage: LogoutStage): Promise<void> {
  const { page, narrator } = stage;
  await lookInEach(stage, 'question', (language) =>
    page.goto(logoutAddress(stage, { ui_locales: language })),
  );
  narrator.proved('The question is asked in English, German and Arabic, and nothing is found against it.');
}

async function declineToLogOut(stage: LogoutStage): Promise<void> {
  const { page, narrator, a, b } = stage;
  const before = { a: a.told.length, b: b.told.length };
  const [sid, sidAtB] = [sidOf(a), sidOf(b)];
  await page.goto(logoutAddress(stage, { post_logout_redirect_uri: backAt(stage), state: 'from A & back' }));
  await press(page, 'decline');
  await page.waitForURL(/logged-out/);
  ensure(new URL(page.url()).searchParams.get('state') === 'from A & back', 'The state did not come back.');
  ensure(a.tokens() === undefined && a.told.length === before.a + 1, 'A was not told.');
  await seeNotified(stage, a, sid);
  await page.goto(`${b.address}/login`);
  await page.waitForURL(`${b.address}/`);
  ensure(b.told.length === before.b && sidOf(b) === sidAtB, 'B was told, too.');
  ensure(!b.notified.some((claims) => claims['sid'] === sidAtB), 'B was told by the back channel, too.');
  narrator.proved('A was told, B was not, and the login at the provider goes on.');
}

async function acceptToLogOut(stage: LogoutStage): Promise<void> {
  const { page, narrator, a, b, baseUrl } = stage;
  const sids = [a, b].map(sidOf);
  const accessTokens = {
    'The access token of A': a.tokens()?.access_token ?? '',
    'The access token of B': b.tokens()?.access_token ?? '',
  };
  await page.goto(logoutAddress(stage, { post_logout_redirect_uri: backAt(stage), state: 's' }));
  await press(page, 'accept');
  await page.waitForURL(/logged-out/);
  ensure(new URL(page.url()).searchParams.get('state') === 's', 'The state did not come back.');
  const since = performance.now();
  for (const [index, application] of [a, b].entries()) {
    const { name, told, tokens } = application;
    const last = told.at(-1);
    ensure(tokens() === undefined, `${name} still believes that alice is logged in.`);
    ensure(
      last?.get('iss') === baseUrl && last.get('sid') === sids[index],
      `${name} was told of another session.`,
    );
    await seeNotified(stage, application, sids[index]);
  }
  narrator.proved(
    'Both applications were told in frames, with iss and sid, and the browser is back with its state.',
  );
  if (stage.isNotified)
    narrator.proved('Both were told by the server too, with logout tokens that they could verify.');
  await stage.server.seeDead(accessTokens, since);
}

async function findNobody(stage: LogoutStage): Promise<void> {
  const { page, narrator, baseUrl } = stage;
  await page.goto(`${baseUrl}/logout`);
  ensure((await page.title()) === 'You’re not logged in', 'Someone is still logged in.');
  const cookies = await page.context().cookies(baseUrl);
  ensure(
    !cookies.some(({ name }) => name.endsWith('vestibule_session')),
    'The browser still has the cookie.',
  );
  await page.goto(`${stage.a.address}/login`);
  ensure((await page.locator('input[type=password]').count()) === 1, 'A new login needs no password.');
  await lookInEach(stage, 'nobody', (language) => page.goto(`${baseUrl}/logout?ui_locales=${language}`));
  narrator.proved('Nobody is logged in, and the browser has forgotten the cookie.');
}

async function postFromApplication(stage: LogoutStage): Promise<void> {
  const { page, narrator, a, baseUrl } = stage;
  const fields = {
    id_token_hint: a.tokens()?.id_token ?? '',
    post_logout_redirect_uri: backAt(stage),
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
  narrator.proved('The question is asked all the same, and the browser is back with its state.');
}

async function goOnWithoutResponse(stage: LogoutStage): Promise<void> {
  const { page, narrator, b } = stage;
  b.hang(true);
  await lookInEach(stage, 'ended-some-silent', async (language) => {
    await logInToBoth(stage, page);
    const sid = sidOf(b);
    await page.goto(logoutAddress(stage, { ui_locales: language }));
    await press(page, 'accept');
    // The back channel's confirmation counts, whatever the front channel returns.
    const known = stage.isNotified ? '.confirmed' : '.failed';
    await page.locator(`#clients ${known}`).first().waitFor();
    await seeNotified(stage, b, sid);
    ensure(await page.getByRole('link').isVisible(), 'There is no way on.');
  });
  b.hang(false);
  narrator.proved('The page says of each application what is known, and leads on.');
  if (stage.isNotified) narrator.proved('By the back channel the application was told all the same.');
}

async function withoutScript(stage: LogoutStage): Promise<void> {
  const { browser, narrator, a, b } = stage;
  const context = await browser.newContext({ locale: 'de-AT', javaScriptEnabled: false });
  const page = await context.newPage();
  await logInToBoth(stage, page);
  const before = [a, b].map(({ told }) => told.length);
  await page.goto(logoutAddress(stage, { post_logout_redirect_uri: backAt(stage), state: 's' }));
  await press(page, 'accept');
  await page.getByRole('link', { name: /Weiter zu/ }).waitFor();
  await stage.gallery.snap(page, 'without-script');
  await page.waitForURL(/logged-out/);
  const after = [a, b].map(({ told }) => told.length);
  ensure(
    after.every((count, index) => count === (before[index] ?? 0) + 1),
    'Not every application was told.',
  );
  await context.close();
  narrator.proved(
    'Without script both applications are told, and the browser goes on by itself after three seconds.',
  );
}

async function showRefusals(stage: LogoutStage): Promise<void> {
  const { browser, page, narrator, baseUrl, a } = stage;
  const evil = { post_logout_redirect_uri: 'https://evil.example/' };
  const hint = a.tokens()?.id_token;
  await lookInEach(stage, 'bad-hint', (language) =>
    page.goto(logoutAddress(stage, { ...evil, ui_locales: language }, 'not.a.token')),
  );
  await lookInEach(stage, 'redirect-refused', (language) =>
    page.goto(logoutAddress(stage, { ...evil, ui_locales: language })),
  );
  await lookInEach(stage, 'left', async (language) => {
    await logInToBoth(stage, page);
    await page.goto(logoutAddress(stage, { ...evil, ui_locales: language }));
    await press(page, 'decline');
    await page.locator('#clients span', { hasText: /./ }).waitFor();
    ensure(page.url().startsWith(baseUrl), 'The browser was sent somewhere else.');
  });
  await lookInEach(stage, 'kept', async (language) => {
    await page.goto(logoutAddress(stage, { ui_locales: language }, hint));
    await press(page, 'decline');
    await page.getByRole('heading').waitFor();
  });
  for (const language of LANGUAGES) {
    const context = await browser.newContext({ locale: language });
    const own = await context.newPage();
    await own.goto(`${baseUrl}/logout?state=1&state=2`);
    await look({ ...stage, page: own }, `bad-request-${language}`, language);
    await context.close();
  }
  narrator.proved(
    'A bad hint and an address of someone else are named on the page, and nobody is sent there.',
  );
}
