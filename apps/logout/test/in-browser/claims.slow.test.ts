import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CHROMIUM, openPage, startChromium } from '@vestibule/testkit/chromium';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { aTestService } from '../support/test-service.js';

const confirm: RequestListener = (_request, response) =>
  response.end('<script>parent.postMessage("logged out", "*")</script>');

/** Behaviour of the front channel of each app. */
const APPS: Readonly<Record<string, RequestListener>> = {
  plain: (_request, response) => response.end('<p>Logged out'),
  confirming: confirm,
  'framing refused': (_request, response) => response.setHeader('x-frame-options', 'DENY').end('<p>No'),
  'login page': (request, response) =>
    request.url === '/login'
      ? response.end('<p>Log in')
      : response.writeHead(302, { location: '/login' }).end(),
  widget: (_request, response) =>
    response.end(
      '<script>parent.postMessage({ type: "resize" }, "*"); parent.postMessage("ready", "*")</script>',
    ),
  'server error': (_request, response) => response.writeHead(500).end(),
  resetting: ({ socket }) => socket.resetAndDestroy(),
  hanging: () => undefined,
};

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function aClosedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

/** Alice, logged in at these apps and optionally at one with a back channel, on the confirmation page. */
async function openConfirmationPage(
  names: readonly string[],
  { hasBackchannel = false, options = {} as BrowserContextOptions, apps = APPS } = {},
) {
  const service = await aTestService();
  for (const name of names) {
    const listener = apps[name];
    const origin = listener === undefined ? await aClosedPort() : await listen(listener);
    await service.register(name.replace(' ', '-'), {
      client_name: name,
      frontchannel_logout_uri: `${origin}/front`,
    });
  }
  const clients = names.map((name) => name.replace(' ', '-'));
  if (hasBackchannel) {
    await service.register('back', {
      client_name: 'back',
      backchannel_logout_uri: 'https://back.example/',
    });
    clients.push('back');
  }
  const login = await service.logIn(clients);
  const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const browser = await startChromium();
  const context = await browser.newContext({
    locale: 'en-GB',
    extraHTTPHeaders: { cookie: login.cookie },
    ...options,
  });
  const page = await openPage(context);
  await page.goto(`${address}/logout`);
  return { ...service, page };
}

/** The state that the page shows for each app, by name. */
async function statesOn(page: Page): Promise<Record<string, string>> {
  const items = await page.locator('#clients li').all();
  const states = items.map(async (item) => [
    (await item.locator('bdi').textContent()) ?? '',
    (await item.locator('span').textContent()) ?? '',
  ]);
  return Object.fromEntries(await Promise.all(states));
}

const statusOn = (page: Page, words: string) => page.locator('#status', { hasText: words }).waitFor();
const accept = (page: Page) => page.locator('button[value=accept]').click();

it.skipIf(CHROMIUM === undefined)(
  'says only that it asked apps whose front channel loads an error page, a login page or a refusal',
  async () => {
    const { page } = await openConfirmationPage([
      'plain',
      'framing refused',
      'login page',
      'server error',
      'resetting',
      'closed',
    ]);
    await accept(page);
    await statusOn(page, 'We asked these apps to log you out.');
    const states = await statesOn(page);
    expect(Object.keys(states)).toHaveLength(6);
    expect(new Set(Object.values(states))).toEqual(new Set(['Asked to log you out']));
  },
);

it.skipIf(CHROMIUM === undefined)(
  'accepts no other message as a confirmation, nor one from another origin that the page redirects to',
  async () => {
    let resolveOrigin: (origin: string) => void = () => undefined;
    const otherOrigin = new Promise<string>((resolve) => {
      resolveOrigin = resolve;
    });
    const apps: typeof APPS = {
      ...APPS,
      confirming: (request, response) => {
        resolveOrigin(`http://${request.headers.host}`);
        confirm(request, response);
      },
      redirecting: async (_request, response) =>
        response.writeHead(302, { location: await otherOrigin }).end(),
    };
    const { page } = await openConfirmationPage(['widget', 'redirecting', 'confirming'], { apps });
    await accept(page);
    await statusOn(page, 'We asked these apps to log you out.');
    expect(await statesOn(page)).toEqual({
      widget: 'Asked to log you out',
      redirecting: 'Asked to log you out',
      confirming: 'Logged out',
    });
  },
);

it.skipIf(CHROMIUM === undefined)(
  'says that all apps confirmed once each sent a message or its back channel accepted the token, and not before',
  async () => {
    const { page, sql } = await openConfirmationPage(['confirming'], { hasBackchannel: true });
    await accept(page);
    await statusOn(page, 'Some apps couldn’t be reached');
    expect(await statesOn(page)).toEqual({ confirming: 'Logged out', back: 'Still trying' });
    await sql(`UPDATE logout_delivery SET state = 'delivered', last_status = 200`);
    await statusOn(page, 'All of these apps confirmed that you’re logged out.');
    expect(await statesOn(page)).toEqual({ confirming: 'Logged out', back: 'Logged out' });
  },
);

it.skipIf(CHROMIUM === undefined)(
  'says what to do if an app does not respond within three seconds, or delivery to its back channel was given up',
  async () => {
    const { page, sql } = await openConfirmationPage(['plain', 'hanging'], { hasBackchannel: true });
    await accept(page);
    await sql(`UPDATE logout_delivery SET state = 'dead', last_status = 400`);
    await statusOn(page, 'Open those apps and log out there.');
    const known = { plain: 'Asked to log you out', hanging: 'Not reached', back: 'Not reached' };
    expect(await statesOn(page)).toEqual(known);
  },
);

it.skipIf(CHROMIUM === undefined)(
  'says from the beginning, without script, that the apps were asked',
  async () => {
    const options = { javaScriptEnabled: false };
    const { page } = await openConfirmationPage(['plain', 'closed'], { options });
    await accept(page);
    await statusOn(
      page,
      'We asked these apps to log you out. If you’re still logged in to one of them, log out there.',
    );
    expect(await statesOn(page)).toEqual({ plain: 'Asked to log you out', closed: 'Asked to log you out' });
  },
);

it.skipIf(CHROMIUM === undefined)(
  'says that apps were requested, and continues, in engines whose frame load events do not reach the document',
  async () => {
    const { page } = await openConfirmationPage(['plain', 'closed']);
    await page.addInitScript(() => {
      const listen = document.addEventListener;
      document.addEventListener = (name: string, ...rest: readonly unknown[]) => {
        if (name !== 'load') Reflect.apply(listen, document, [name, ...rest]);
      };
    });
    await accept(page);
    await statusOn(page, 'We asked these apps to log you out.');
    expect(await statesOn(page)).toEqual({ plain: 'Asked to log you out', closed: 'Asked to log you out' });
  },
);
