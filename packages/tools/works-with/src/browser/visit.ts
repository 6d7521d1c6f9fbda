import type { Page, Request, Response } from 'playwright-core';
import { type Static, Type } from 'typebox';

/** A request to the browser. */
export const VisitSchema = Type.Object(
  {
    url: Type.String({ minLength: 1 }),
    session: Type.Optional(Type.String()),
    user: Type.Optional(Type.String()),
    logout: Type.Optional(Type.Union([Type.Literal('yes'), Type.Literal('no')])),
  },
  { additionalProperties: false },
);

export type Visit = Readonly<Static<typeof VisitSchema>>;

/** Where a visit ended. */
export interface Visited {
  /** The last address, even if no server listens there. */
  readonly url: string;
  /** Of the last document; 0 where there was none. */
  readonly status: number;
  /** The visible text of the last page. */
  readonly text: string;
}

/** The most decisions in a row that pages of the stack require. */
const MOST_DECISIONS = 8;
/** A page that redirects by itself does so within this time. */
const QUIET_MS = 300;
const SHORT_MS = 2_000;
const TIMEOUT_MS = 15_000;

/** Opens an address and acts for the user on the pages of the stack: sign-in, consent, logout, continue link. */
export async function visit(page: Page, baseUrl: string, request: Visit): Promise<Visited> {
  const { origin } = new URL(baseUrl);
  const watched = watch(page);
  try {
    await page.goto(request.url).catch(() => undefined);
    await watched.settle();
    for (let decisions = 0; decisions < MOST_DECISIONS; decisions += 1) {
      if (new URL(watched.url()).origin !== origin || !(await decide(page, request))) break;
      await watched.settle();
    }
    return { url: watched.url(), status: watched.status(), text: await watched.text() };
  } finally {
    watched.stop();
  }
}

/** Acts on the page; false where it requires no action. */
async function decide(page: Page, { user = 'alice', logout = 'yes' }: Visit): Promise<boolean> {
  if (await has(page, 'button[name=decision][value=login]')) {
    await page.fill('input[name=username]', user);
    await page.fill('input[name=password]', user);
    return click(page, 'button[name=decision][value=login]');
  }
  if (await has(page, 'button[name=decision][value=consent]'))
    return click(page, 'button[name=decision][value=consent]');
  if (await has(page, 'button[name=decision][value=accept]'))
    return click(page, `button[name=decision][value=${logout === 'no' ? 'decline' : 'accept'}]`);
  return followContinueLink(page);
}

/** Follows the continue link after the page has notified its clients. */
async function followContinueLink(page: Page): Promise<boolean> {
  if (await has(page, '#status')) await notified(page);
  if (!(await has(page, 'a.way'))) return false;
  // The page may have redirected by itself.
  await page.click('a.way', { noWaitAfter: true, timeout: SHORT_MS }).catch(() => undefined);
  return true;
}

/** Waits until a logout page shows the results of its notifications, or redirects by itself. */
async function notified(page: Page): Promise<void> {
  const isOver = () => {
    const status = document.getElementById('status');
    return status === null || status.textContent !== status.getAttribute('data-asking');
  };
  await page.waitForFunction(isOver, undefined, { timeout: TIMEOUT_MS }).catch(() => undefined);
}

async function has(page: Page, selector: string): Promise<boolean> {
  return (await page.locator(selector).count()) > 0;
}

async function click(page: Page, selector: string): Promise<true> {
  await page.click(selector, { noWaitAfter: true });
  return true;
}

/** Follows the navigations of a page: an address without a server is known by its request only. */
function watch(page: Page) {
  let url = page.url();
  let status = 0;
  let underWay = 0;
  let last = performance.now();
  const isDocument = (request: Request) =>
    request.isNavigationRequest() && request.frame() === page.mainFrame();
  const onRequest = (request: Request) => {
    if (!isDocument(request)) return;
    url = request.url();
    status = 0;
    underWay += 1;
    last = performance.now();
  };
  const onResponse = (response: Response) => {
    if (isDocument(response.request())) status = response.status();
  };
  const onOver = (request: Request) => {
    if (!isDocument(request)) return;
    underWay -= 1;
    last = performance.now();
  };
  page.on('request', onRequest).on('response', onResponse);
  page.on('requestfinished', onOver).on('requestfailed', onOver);
  return {
    url: () => (page.url().startsWith('http') && status !== 0 ? page.url() : url),
    status: () => status,
    text: async () => {
      const [text = ''] = status === 0 ? [] : await page.locator('body').allInnerTexts();
      return text.trim();
    },
    /** Waits until the page has loaded and no longer redirects by itself. */
    settle: async () => {
      const deadline = performance.now() + TIMEOUT_MS;
      last = performance.now();
      while (performance.now() < deadline && (underWay > 0 || performance.now() - last < QUIET_MS))
        await page.waitForTimeout(QUIET_MS / 6);
      await page.waitForLoadState('load', { timeout: TIMEOUT_MS }).catch(() => undefined);
    },
    stop: () => {
      page.off('request', onRequest).off('response', onResponse);
      page.off('requestfinished', onOver).off('requestfailed', onOver);
    },
  };
}
