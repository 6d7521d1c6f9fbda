import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Closers, closing, freePort } from '@vestibule/local-services';
import type { Browser } from 'playwright-core';
import { openBrowserService } from '../browser/browser-service.js';
import type { Stack } from '../stack/stack.js';
import { lacking } from './needs.js';
import { type Outcome, outcomeOf } from './outcome.js';
import { prepare } from './prepare.js';
import type { Program } from './programs.js';
import { runShell } from './shell.js';

/** The environment of programs. */
export interface ProgramEnvironment {
  readonly browser: Browser;
  /** The environment variables of this process, which configure registries and compilers. */
  readonly environment: NodeJS.ProcessEnv;
  /** The checkout whose services are tried. */
  readonly checkout: string;
  /** The folder of prepared programs, kept between runs. */
  readonly cache: string;
  readonly log: (sentence: string) => void;
}

const MINUTE_MS = 60_000;
const DEFAULT_MINUTES = 3;
const TAIL = 3_000;

/**
 * Runs a program against a stack, with a browser without cookies, and gives its results.
 * @param openStack absent for a program that starts the services itself
 */
export async function runProgram(
  program: Program,
  openStack: (() => Promise<Stack>) | undefined,
  { browser, environment, checkout, cache, log }: ProgramEnvironment,
  toEnd: Closers,
): Promise<Outcome> {
  const { needs, run: line, minutes = DEFAULT_MINUTES } = program.manifest;
  const missing = await lacking(needs, environment, log);
  if (missing.length > 0) return { kind: 'not run', problem: `lacks ${missing.join(', ')}`, steps: [] };
  const prepared = await prepare(program, cache, environment, toEnd);
  if ('problem' in prepared) return { kind: 'failed', problem: prepared.problem, steps: [] };
  const { folder } = prepared;
  return closing(async (toClose) => {
    const own = { PORT: String(await freePort()), VESTIBULE: checkout };
    const stack = await openStack?.();
    const ofStack = stack && {
      ...(await openBrowser(stack, browser, toClose)),
      ...(await documentPlace(stack, program.name)),
    };
    const command = {
      line,
      folder,
      environment: { ...environment, ...own, ...ofStack },
      limitMs: minutes * MINUTE_MS,
    };
    const { exitCode, stdout, stderr } = await runShell(command, toEnd);
    const outcome = outcomeOf(stdout, problemOf(exitCode, minutes));
    if (outcome.kind === 'failed') log(`${stdout}${stderr}`.trim().slice(-TAIL));
    return outcome;
  });
}

/** The variables of a stack and of a browser that signs in there. */
async function openBrowser({ baseUrl, masterToken }: Stack, browser: Browser, toClose: Closers) {
  const service = await openBrowserService(browser, baseUrl);
  toClose.add(service.close);
  return { BASE_URL: baseUrl, MASTER_TOKEN: masterToken, BROWSER_URL: service.url };
}

/** The variables of a place for documents that the program alone uses, where its stack has one. */
async function documentPlace({ documents }: Stack, name: string) {
  if (documents === undefined) return {};
  const folder = join(documents.folder, name);
  await mkdir(folder, { recursive: true });
  return { DOCUMENTS_URL: `${documents.origin}/${name}`, DOCUMENTS_FOLDER: folder };
}

function problemOf(exitCode: number | undefined, minutes: number): string | undefined {
  if (exitCode === undefined) return `it did not end within ${minutes} minutes`;
  return exitCode === 0 ? undefined : `it ended with the code ${exitCode}`;
}
