import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from '../../src/root.js';
import { applyDiff } from './apply-diff.js';
import { type PageBlock, pageBlocks, replaceTexts } from './page-blocks.js';

/** How to walk a page. */
export interface PageWalkOptions {
  readonly page: string;
  /** Where its files are written and its commands run. */
  readonly folder: string;
  /** Variables beyond those that a user has; `VESTIBULE` names the repository. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Texts of the page that are different here, such as ports. */
  readonly replaced: ReadonlyMap<string, string>;
  /** How long a command may take to print what the page says. */
  readonly printTimeoutMs?: number;
}

/** A command of the page. */
export interface RunCommand {
  /** Standard output and standard error so far. */
  readonly output: () => string;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
  /** Ends it with everything that it has started. */
  stop(): Promise<void>;
}

/** A page whose blocks are run in order. */
export interface PageWalk {
  /** Writes the files and runs the commands below a heading, and checks that they print what the page says. */
  section(heading: string): Promise<void>;
  /** Starts a command as the page would. */
  start(command: string, environment?: PageWalkOptions['environment']): RunCommand;
  /** The text of a file of the page, in its last form. */
  file(name: string): string;
  /** Writes a file. */
  write(name: string, text: string): void;
  /** The command that runs in the background below a heading. */
  background(heading: string): RunCommand;
  /** Everything that every command has printed. */
  output(): string;
  /** Ends all commands. */
  stop(): Promise<void>;
}

const PRINT_TIMEOUT_MS = 120_000;
const CONNECT_TIMEOUT_MS = 20_000;
const POLL_MS = 50;
const STOP_TIMEOUT_MS = 20_000;

/**
 * Walks a page: files have their name after the language of the block, a `diff` changes the file that it names, `sh
 * background` keeps running, and the files that `sh copy` copies are changed as the page is.
 */
export function walkPage(options: PageWalkOptions): PageWalk {
  const { page, folder, environment = {}, replaced, printTimeoutMs = PRINT_TIMEOUT_MS } = options;
  const blocks = pageBlocks(replaceTexts(page, replaced));
  const files = new Map<string, string>();
  const commands: RunCommand[] = [];
  const inBackground = new Map<string, RunCommand>();
  const setup = blocks.find(({ info }) => info === 'setup');
  const write = (name: string, text: string) => {
    files.set(name, text);
    writeFileSync(join(folder, name), text);
  };
  const start: PageWalk['start'] = (command, changes = {}) => {
    const started = startCommand(command, folder, { ...userEnvironment(), ...environment, ...changes });
    commands.push(started);
    return started;
  };
  const run = async (block: PageBlock, expected: string): Promise<void> => {
    // The variables of the setup are in the environment; what it reads from files is read as it does.
    const [, sourced = ''] = setup?.text.split('\n') ?? [];
    const text = `${setup !== undefined && files.has('services.env') ? sourced : ''}\n${block.text}`;
    let command = start(text);
    if (block.info === 'background') inBackground.set(block.heading, command);
    else {
      const deadline = Date.now() + CONNECT_TIMEOUT_MS;
      while ((await command.ended) !== 0) {
        // A server that was just started may not listen yet.
        const isEarly = command.output().includes("Couldn't connect") && Date.now() < deadline;
        if (!isEarly) throw new Error(`${block.text}\n${command.output()}`);
        await pause(POLL_MS);
        command = start(text);
      }
    }
    await printed(command, { expected, text: block.text, timeoutMs: printTimeoutMs });
  };
  const replaceCopied = () => {
    const copied = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { name } of copied)
      write(name, replaceTexts(readFileSync(join(folder, name), 'utf8'), replaced));
  };
  const writeFile = ({ language, info, text }: PageBlock) =>
    write(info, language === 'diff' ? applyDiff(files.get(info) ?? '', text) : text);
  const follow = async (block: PageBlock, expected: string): Promise<void> => {
    if (isCommand(block)) await run(block, expected);
    else if (isFile(block)) writeFile(block);
    if (block.info === 'copy') replaceCopied();
  };
  return {
    section: async (heading) => {
      const own = blocks.filter((block) => block.heading === heading);
      if (own.length === 0) throw new Error(`the page has no section ${heading}`);
      for (const [index, block] of own.entries()) {
        const next = own[index + 1];
        const expected = next?.language === 'text' ? next.text : '';
        await follow(block, expected);
      }
    },
    start,
    file: (name) => files.get(name) ?? '',
    write,
    background: (heading) => {
      const command = inBackground.get(heading);
      if (command === undefined) throw new Error(`nothing runs in the background below ${heading}`);
      return command;
    },
    output: () => commands.map((command) => command.output()).join('\n'),
    stop: async () => {
      for (const command of commands.toReversed()) await command.stop();
    },
  };
}

function isCommand({ language, info }: PageBlock): boolean {
  return language === 'sh' && info !== 'setup';
}

function isFile({ language, info }: PageBlock): boolean {
  return language !== 'sh' && language !== 'text' && info !== '';
}

/** What a command has to print. */
interface Expectation {
  readonly expected: string;
  readonly timeoutMs: number;
  /** The command, for the error. */
  readonly text: string;
}

/** Waits until a command has printed every line. */
async function printed(command: RunCommand, { expected, text, timeoutMs }: Expectation): Promise<void> {
  const lines = expected.split('\n').filter((line) => line !== '');
  const missing = () => lines.filter((line) => !command.output().includes(line));
  const deadline = Date.now() + timeoutMs;
  let hasEnded = false;
  const note = () => {
    hasEnded = true;
  };
  command.ended.then(note, note);
  while (missing().length > 0) {
    if (hasEnded || Date.now() > deadline)
      throw new Error(`${text}\ndoes not print ${missing().join('\n')}\nbut\n${command.output()}`);
    await pause(POLL_MS);
  }
}

function startCommand(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): RunCommand {
  const child = spawn('bash', ['-ec', command], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => chunks.push(text));
  const ended = once(child, 'close').then(([code]) => code);
  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // It has ended.
    }
  };
  return {
    output: () => chunks.join(''),
    ended,
    stop: async () => {
      signal('SIGTERM');
      const isLate = await Promise.race([
        ended.then(() => false),
        pause(STOP_TIMEOUT_MS, true, { ref: false }),
      ]);
      if (isLate) signal('SIGKILL');
      await ended;
    },
  };
}

/** The variables of this process without those of the test runner. npm asks its registry only for what it has not cached. */
function userEnvironment(): NonNullable<PageWalkOptions['environment']> {
  const { NODE_OPTIONS: _options, NODE_ENV: _environment, ...inherited } = process.env;
  const kept = Object.entries(inherited).filter(([name]) => !name.startsWith('VITEST'));
  return { ...Object.fromEntries(kept), npm_config_prefer_offline: 'true', VESTIBULE: ROOT };
}
