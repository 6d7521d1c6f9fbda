import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestDatabase, noteResponse } from '@vestibule/testkit';
import pg from 'pg';
import { expect, it } from 'vitest';
import { COMMAND_GROUPS } from '../../src/commands/command-groups.js';
import { commandPath } from '../../src/frame/command-path.js';
import { type RunningStack, startStack } from './running-stack.js';
import { type Outcome, vestibule, vestibuleProcess } from './vestibule.js';

/** A running stack with an operator, who knows only its database and data folder. */
export interface OperatedStack extends RunningStack {
  /** Environment of the operator's commands. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Runs a command with text output in its own process; it must succeed.
   * @returns its output
   */
  text(args: readonly string[], input?: string): Promise<string>;
  /**
   * Runs a command with `--json` in its own process; it must succeed.
   * @returns its JSON document
   */
  json(args: readonly string[], input?: string): ReturnType<typeof JSON.parse>;
  /**
   * Runs a command in this process; it must succeed.
   * @returns its JSON document
   */
  typed(args: readonly string[], input?: string): ReturnType<typeof JSON.parse>;
  /** Runs a command that must fail with this exit code. */
  refused(code: number, args: readonly string[], input?: string): Promise<Outcome>;
  /** Writes a file and returns its path. */
  file(name: string, content: string): Promise<string>;
  sql(...statements: readonly string[]): Promise<pg.QueryResult['rows']>;
  /** Audit events in order: actor, action, target. */
  events(): Promise<readonly string[]>;
  /** How each command was run, by its name. */
  readonly journal: ReadonlyMap<string, ReadonlySet<Way>>;
}

type Way = 'for people' | 'for programs' | 'refused';

/** Characters that a terminal interprets, and trailing blanks. */
const UNTIDY = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]| $/mu;

/** Starts a stack with these settings; the operator's commands get them too. */
export async function openStack(settings: Readonly<Record<string, string>> = {}): Promise<OperatedStack> {
  const { url, drop } = await createTestDatabase();
  const stack = await startStack({ DATABASE_URL: url, ...settings });
  const { ENCRYPTION_KEYS: configured } = settings;
  // If the keys are configured, the commands need the URL too.
  const address = configured === undefined ? {} : { BASE_URL: stack.baseUrl };
  const environment = { DATABASE_URL: url, DATA_DIR: stack.folder, ...settings, ...address };
  const keys = configured ?? (await readFile(join(stack.folder, 'encryption-keys'), 'utf8'));
  const secrets = [url, new URL(url).password, stack.masterToken, ...keys.trim().split(',')];
  const journal = new Map<string, Set<Way>>();

  const note = (args: readonly string[], way: Way, { stdout, stderr }: Outcome) => {
    const isCommand = COMMAND_GROUPS.some(({ name, isCommand }) => name === args[0] && isCommand === true);
    const typed = args.slice(0, isCommand ? 1 : 2).join(' ');
    journal.set(typed, (journal.get(typed) ?? new Set()).add(way));
    for (const secret of secrets) expect(`${stdout}${stderr}`).not.toContain(secret);
    noteResponse(stdout);
  };
  const sql: OperatedStack['sql'] = async (...statements) => {
    const client = new pg.Client(url);
    await client.connect();
    let rows: pg.QueryResult['rows'] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    await client.end();
    return rows;
  };

  return {
    ...stack,
    environment,
    journal,
    text: async (args, input = '') => {
      const outcome = await vestibuleProcess(args, { environment, input });
      expect(outcome, args.join(' ')).toMatchObject({ code: 0 });
      expect(outcome.stdout).not.toMatch(UNTIDY);
      note(args, 'for people', outcome);
      return outcome.stdout;
    },
    json: async (args: readonly string[], input = '') => {
      const outcome = await vestibuleProcess([...args, '--json'], { environment, input });
      expect(outcome, args.join(' ')).toMatchObject({ code: 0 });
      note(args, 'for programs', outcome);
      return JSON.parse(outcome.stdout);
    },
    typed: async (args: readonly string[], input = '') => {
      const outcome = await vestibule([...args, '--json'], { environment, input });
      expect(outcome, args.join(' ')).toMatchObject({ code: 0 });
      return JSON.parse(outcome.stdout);
    },
    refused: async (code, args, input = '') => {
      const outcome = await vestibule(args, { environment, input });
      expect(outcome, args.join(' ')).toMatchObject({ code });
      expect(`${outcome.stdout}${outcome.stderr}`).toMatch(/^\S.*\n$/s);
      note(args, 'refused', outcome);
      return outcome;
    },
    file: async (name, content) => {
      const path = join(stack.folder, name);
      await writeFile(path, content);
      return path;
    },
    sql,
    events: async () => {
      const rows = await sql(
        `SELECT concat_ws(' ', actor, action, target) AS event FROM audit_event ORDER BY id`,
      );
      return rows.map(({ event }) => event);
    },
    stop: async () => {
      await stack.stop();
      await drop();
    },
  };
}

/** Command groups that are tested against one stack, by test file. */
export const TRIED_TOGETHER = {
  clients: ['clients'],
  db: ['db'],
  keys: ['keys'],
  tokens: ['tokens', 'initial-token', 'audit', 'config'],
  federation: ['federation', 'completion'],
  logout: ['logout'],
  apply: ['apply'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * Adds the last test of a file: every command of its groups was run with text output, with JSON output, and refused.
 */
export function everyCommandWasRun(file: keyof typeof TRIED_TOGETHER, stack: () => OperatedStack): void {
  const tried: readonly string[] = TRIED_TOGETHER[file];
  it(`has run every command of ${tried.join(', ')} with text and JSON output, and with an error`, () => {
    const ways: readonly Way[] = ['for people', 'for programs', 'refused'];
    const missing = COMMAND_GROUPS.filter(({ name }) => tried.includes(name))
      .flatMap((group) => group.commands.map((command) => commandPath(group, command)))
      .flatMap((typed) => ways.map((way) => ({ typed, way })))
      .filter(({ typed, way }) => stack().journal.get(typed)?.has(way) !== true);
    expect(missing).toEqual([]);
  });
}

/** Returns metadata of a client that may introspect at a stack. */
export function resourceServer({ baseUrl }: RunningStack, id: string) {
  return {
    client_name: `Of ${id}`,
    grant_types: ['client_credentials'],
    preferred_client_id: id,
    scope: `read ${baseUrl}/token/introspect`,
  };
}

/**
 * Creates such a client.
 * @returns its secret
 */
export async function createResourceServer(stack: OperatedStack, id: string): Promise<string> {
  const made = await stack.typed(['clients', 'create', '-'], JSON.stringify(resourceServer(stack, id)));
  return made.client_secret;
}

/** Issues a token at the stack. */
export function issue({ send, masterToken }: RunningStack, request: object) {
  return send('/direct-authz', { token: masterToken, json: request });
}

/** Issues a token for a client. */
export async function tokenFor(stack: RunningStack, request: object): Promise<string> {
  const { status, body } = await issue(stack, { sub: 'alice', scope: 'read', ...request });
  expect(status).toBe(200);
  return body.access_token;
}

/** Introspects a token as a client. */
export function introspect({ send }: RunningStack, basic: readonly [string, string], token: string) {
  return send('/token/introspect', { basic, form: { token } });
}
