import { resolve } from 'node:path';
import process from 'node:process';
import { chromiumProgram, closeOnSignals, closers, LocalServiceError } from '@vestibule/local-services';
import { runApiChapters } from './apis/api-chapters.js';
import { openPage } from './browser/browser.js';
import { openGallery } from './browser/gallery.js';
import { runClientChapters } from './clients/client-chapters.js';
import { parseCommandLine } from './command-line.js';
import { runConsoleChapters } from './console/console-chapters.js';
import { runFederationChapters } from './federation/federation-chapters.js';
import { runLargeSessionChapter } from './logout/large-session.js';
import { runLogoutChapters } from './logout/logout-chapters.js';
import { createReporter, type Reporter } from './print/reporter.js';
import { openStack, type Stack } from './stack/stack.js';
import { ensure, TourError } from './tour-error.js';

const HELP = `pnpm tour [--verbose] [--screenshots folder]

  --verbose      prints every exchange and every check instead of one line for each chapter
  --screenshots  saves every page at 360 and 1440 pixels, light and dark, and an index.html that shows them

  BASE_URL            URL of the stack, default http://localhost:8080; a stack is started if none is running
  MASTER_TOKEN        master token of the stack
  MASTER_TOKEN_FILE   or a file with it, default .vestibule/master-token
  INTROSPECTION_URLS  further instances of the introspection service of that stack, comma-separated

Back-channel logout is tested on a running stack only if EGRESS_ALLOW_HOSTS=127.0.0.1 is set there. The chapters
about the federation and the console run only on a stack that the tour starts.
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
  const isExpected = error instanceof TourError || error instanceof LocalServiceError;
  const message = isExpected ? error.message : String(error);
  process.stderr.write(`\nThe tour failed: ${message}\n`);
  process.exitCode = EXIT_FAILED;
} finally {
  await toEnd.closeAll();
}

async function main(): Promise<void> {
  const { screenshots, verbose, help } = parseCommandLine(process.argv.slice(2));
  if (help) return print(HELP);
  const program = await chromiumProgram(print);
  const stack = await openStack(process.env, toEnd, print);
  const reporter = createReporter({ write: print, isVerbose: verbose });
  try {
    await runChapters(reporter, stack, { program, screenshots });
  } catch (error) {
    reporter.failed();
    throw error;
  }
}

interface TourOptions {
  /** The path of Chromium. */
  readonly program: string;
  readonly screenshots: string | undefined;
}

async function runChapters(
  reporter: Reporter,
  stack: Stack,
  { program, screenshots }: TourOptions,
): Promise<void> {
  const page = await openPage(program, reporter, toEnd);
  const gallery = await openGallery(
    screenshots === undefined ? undefined : resolve(screenshots),
    reporter.current,
  );
  toEnd.add(gallery.writeIndex);
  const tools = { page, gallery, reporter };
  const { a, b, server } = await runClientChapters(stack, tools, toEnd);
  await runApiChapters(stack, { ...tools, a }, toEnd);
  const browser = page.context().browser();
  ensure(browser !== null, 'The page has no browser.');
  const applications = { a: a.application, b: b.application };
  const environment = { ...tools, ...applications, browser, server, isNotified: a.isNotified };
  await runLogoutChapters({ ...environment, baseUrl: stack.baseUrl });
  await runLargeSessionChapter(stack, { ...environment, baseUrl: stack.baseUrl });
  await runFederationChapters(stack, { ...tools, server }, toEnd);
  await runConsoleChapters(stack, { ...tools, browser, server }, toEnd);
  const { indexFile } = gallery;
  reporter.summary(...(indexFile === undefined ? [] : [`screenshots: ${indexFile}`]));
}
