import { resolve } from 'node:path';
import process from 'node:process';
import { chromiumProgram, closeOnSignals, closers, LocalServiceError } from '@vestibule/local-services';
import { openPage } from './browser/browser.js';
import { openGallery } from './browser/gallery.js';
import { parseCommandLine } from './command-line.js';
import { tellFederationStory } from './federation/federation-story.js';
import { tellOfCrowd } from './logout/crowd.js';
import { tellLogoutStory } from './logout/logout-story.js';
import { type Narrator, narrator } from './print/narrator.js';
import { openStack, type Stack } from './stack/stack.js';
import { tellStory } from './story/story.js';
import { ensure, TourError } from './tour-error.js';

const HELP = `pnpm tour [--verbose] [--screenshots folder]

  --verbose      prints every exchange and every check instead of one line for each chapter
  --screenshots  saves every page at 360 and 1440 pixels, light and dark, and an index.html that shows them

  BASE_URL            URL of the stack, default http://localhost:8080; a stack is started if none is running
  MASTER_TOKEN        master token of the stack
  MASTER_TOKEN_FILE   or a file with it, default .vestibule/master-token
  INTROSPECTION_URLS  further instances of the introspection service of that stack, comma-separated

The back channel of a running stack is tested if it was started with EGRESS_ALLOW_HOSTS=127.0.0.1. The chapters about
federation need the stack that the tour starts, which trusts the small federation of the tour.
`;

const EXIT_FAILED = 1;

const toEnd = closers();
const print = (line: string) => {
  process.stdout.write(`${line}\n`);
};

closeOnSignals(toEnd);

try {
  await main();
} catch (error) {
  const isSaid = error instanceof TourError || error instanceof LocalServiceError;
  const sentence = isSaid ? error.message : String(error);
  process.stderr.write(`\nThe tour ends here. ${sentence}\n`);
  process.exitCode = EXIT_FAILED;
} finally {
  await toEnd.closeAll();
}

async function main(): Promise<void> {
  const { screenshots, verbose, help } = parseCommandLine(process.argv.slice(2));
  if (help) return print(HELP);
  const program = await chromiumProgram(print);
  const stack = await openStack(process.env, toEnd, print);
  const told = narrator({ write: print, isVerbose: verbose });
  try {
    await takeTour(told, stack, { program, screenshots });
  } catch (error) {
    told.failed();
    throw error;
  }
}

interface TourOptions {
  /** The path of Chromium. */
  readonly program: string;
  readonly screenshots: string | undefined;
}

async function takeTour(told: Narrator, stack: Stack, { program, screenshots }: TourOptions): Promise<void> {
  const page = await openPage(program, told, toEnd);
  const gallery = await openGallery(
    screenshots === undefined ? undefined : resolve(screenshots),
    told.current,
  );
  toEnd.add(gallery.writeIndex);
  const watched = { page, gallery, narrator: told };
  const { a, b, server } = await tellStory(stack, watched, toEnd);
  const browser = page.context().browser();
  ensure(browser !== null, 'The page belongs to no browser.');
  const applications = { a: a.application, b: b.application };
  const stage = { ...watched, ...applications, browser, server, isNotified: a.isNotified };
  await tellLogoutStory({ ...stage, baseUrl: stack.baseUrl });
  await tellOfCrowd(stack, { ...stage, baseUrl: stack.baseUrl });
  await tellFederationStory(stack, { ...watched, server }, toEnd);
  const { indexFile } = gallery;
  told.summary(...(indexFile === undefined ? [] : [`pictures of every page: ${indexFile}`]));
}
