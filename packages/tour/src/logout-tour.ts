import { resolve } from 'node:path';
import process from 'node:process';
import { closeOnSignals, closers, freePort } from '@vestibule/local-services';
import { openPage } from './browser/browser.js';
import { chromiumProgram } from './browser/chromium-program.js';
import { openGallery } from './browser/gallery.js';
import { parseCommandLine } from './command-line.js';
import { relyingParty } from './demo/relying-party.js';
import { type LogoutApplication, startLogoutApplication } from './logout/logout-application.js';
import { tellLogoutStory } from './logout/logout-story.js';
import { type Narrator, narrator } from './print/narrator.js';
import { toldFetch } from './print/told-fetch.js';
import { openStack, type Stack } from './stack/stack.js';
import { initialAccessToken, register } from './story/register.js';
import { ensure, TourError } from './tour-error.js';

const EXIT_FAILED = 1;

const toEnd = closers();
const print = (line: string) => {
  process.stdout.write(`${line}\n`);
};

closeOnSignals(toEnd);

try {
  await main();
} catch (error) {
  const sentence = error instanceof TourError ? error.message : String(error);
  process.stderr.write(`\nThe tour ends here. ${sentence}\n`);
  process.exitCode = EXIT_FAILED;
} finally {
  await toEnd.closeAll();
}

/** Logs out of two applications in a real browser, over a stack of its own. */
async function main(): Promise<void> {
  const { screenshots } = parseCommandLine(process.argv.slice(2));
  const program = await chromiumProgram(print);
  const stack = await openStack({ BASE_URL: `http://localhost:${await freePort()}` }, toEnd, print);
  const told = narrator(print);
  const page = await openPage(program, told, toEnd);
  const gallery = await openGallery(screenshots === undefined ? undefined : resolve(screenshots));
  const browser = page.context().browser();
  ensure(browser !== null, 'The page belongs to no browser.');
  const [a, b] = await Promise.all([member(stack, told, 'A'), member(stack, told, 'B')]);
  await tellLogoutStory({ browser, page, gallery, narrator: told, baseUrl: stack.baseUrl, a, b });
  print('\nLogging out is as it should be.');
}

async function member(stack: Stack, told: Narrator, letter: string): Promise<LogoutApplication> {
  const name = `Application ${letter}`;
  const application = await startLogoutApplication(name, await freePort(), toEnd);
  const fetch = toldFetch(name, told);
  const token = await initialAccessToken(stack, 1, fetch);
  const metadata = {
    client_name: name,
    'client_name#de': `Anwendung ${letter}`,
    'client_name#ar': `التطبيق ${letter}`,
    grant_types: ['authorization_code', 'refresh_token'],
    scope: 'profile email reports:read',
    ...application.metadata,
  };
  const client = await register(stack, token, metadata, fetch);
  const redirectUri = `${application.address}/callback`;
  application.connect(await relyingParty(stack.baseUrl, { ...client, redirectUri }, told));
  return application;
}
