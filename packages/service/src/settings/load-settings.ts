import { readFileSync } from 'node:fs';
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { readSetting } from './read-setting.js';
import type { Reading } from './setting.js';
import { keywordsOf } from './setting-keywords.js';

/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A rule that depends on several settings. It runs if all settings that it reads are valid, even if others are not. */
export type SettingsCheck<Settings> = (settings: Settings) => readonly SettingsProblem[];

const SECRET_FILE_MAX_BYTES = 65_536;

/**
 * Loads the settings of a process from its environment. Schema members are variable names. Each value is converted by
 * its type, defaulted and checked; then the cross-field checks run. An empty variable counts as not set. A secret may
 * instead come from the file that `<NAME>_FILE` names; one trailing line break is dropped. Variables that are not in
 * the schema are ignored. The result is frozen.
 * @throws SettingsError with all problems, naming variables and never quoting values
 */
export function loadSettings<Properties extends TProperties>(
  schema: TObject<Properties>,
  environment: Environment,
  checks: readonly SettingsCheck<Static<TObject<Properties>>>[] = [],
): Readonly<Static<TObject<Properties>>> {
  const values: Record<string, unknown> = {};
  const problems: SettingsProblem[] = [];
  for (const [name, member] of Object.entries(schema.properties)) {
    const reading = readMember(name, member, environment);
    if ('problem' in reading) problems.push({ name, problem: reading.problem });
    else if (reading.value !== undefined) values[name] = reading.value;
  }
  const wrong = new Set(problems.map(({ name }) => name));
  const found = checks.flatMap((check) => problemsOf(check, values as Static<TObject<Properties>>, wrong));
  if (problems.length + found.length > 0) throw new SettingsError([...problems, ...found]);
  if (!Value.Check(schema, values)) throw new TypeError('a default does not fit its own schema');
  return Object.freeze(values);
}

/** A setting that the rule reads is invalid. */
class NotEvaluated extends Error {}

/** Problems that a rule finds; none if a setting that it reads is invalid. */
function problemsOf<Settings extends object>(
  check: SettingsCheck<Settings>,
  values: Settings,
  wrong: ReadonlySet<string>,
): readonly SettingsProblem[] {
  const readable = new Proxy(values, {
    get: (target, name, receiver) => {
      if (typeof name === 'string' && wrong.has(name)) throw new NotEvaluated();
      return Reflect.get(target, name, receiver);
    },
  });
  try {
    return check(readable);
  } catch (error) {
    if (error instanceof NotEvaluated) return [];
    throw error;
  }
}

function readMember(name: string, schema: TSchema, environment: Environment): Reading<unknown> {
  const source = textOf(name, schema, environment);
  if ('problem' in source) return source;
  if (source.value !== undefined) return readSetting(schema, source.value);
  const fallback = keywordsOf(schema).default;
  return fallback === undefined && !Type.IsOptional(schema)
    ? { problem: 'is required' }
    : { value: fallback };
}

function textOf(name: string, schema: TSchema, environment: Environment): Reading<string | undefined> {
  const text = present(environment[name]);
  const file = keywordsOf(schema).isSecret ? present(environment[`${name}_FILE`]) : undefined;
  if (file === undefined) return { value: text };
  return text === undefined
    ? readSecretFile(name, file)
    : { problem: `is also set by ${name}_FILE; set only one of them` };
}

function readSecretFile(name: string, file: string): Reading<string> {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > SECRET_FILE_MAX_BYTES)
      return { problem: `the file named by ${name}_FILE is too large` };
    const text = bytes.toString('utf8').replace(/\r?\n$/, '');
    return text === '' ? { problem: `the file named by ${name}_FILE is empty` } : { value: text };
  } catch {
    return { problem: `the file named by ${name}_FILE cannot be read` };
  }
}

function present(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** A problem of the configuration. */
export interface SettingsProblem {
  /** The environment variable. */
  readonly name: string;
  /** The problem, without quoting the value. */
  readonly problem: string;
}

/** Invalid configuration. The message has one line per problem and no values. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly SettingsProblem[];

  constructor(problems: readonly SettingsProblem[]) {
    super(problems.map(({ name, problem }) => `${name}: ${problem}`).join('\n'));
    this.problems = problems;
  }
}
