import { readFileSync } from 'node:fs';
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { readSetting } from './read-setting.js';
import type { Reading } from './setting.js';
import { keywordsOf } from './setting-keywords.js';
import { SettingsError, type SettingsProblem } from './settings-error.js';

/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A rule over several settings; runs when each of them is valid. */
export type SettingsCheck<Settings> = (settings: Settings) => readonly SettingsProblem[];

const SECRET_FILE_MAX_BYTES = 65_536;

/**
 * The settings of a process from its environment. The members of the schema are the names of the variables; each is
 * converted by its type, defaulted and checked, then the cross-field checks run. A variable that is set to nothing
 * counts as not set. A secret may instead come from the file that `<NAME>_FILE` names, of which one trailing line end
 * is dropped. Variables that the schema does not name are ignored. The result is frozen.
 * @throws SettingsError with every problem at once, naming variables and never quoting values
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
  if (problems.length > 0) throw new SettingsError(problems);
  if (!Value.Check(schema, values)) throw new TypeError('a default does not fit its own schema');
  const found = checks.flatMap((check) => check(values));
  if (found.length > 0) throw new SettingsError(found);
  return Object.freeze(values);
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
    : { problem: `is given twice, also by ${name}_FILE` };
}

function readSecretFile(name: string, file: string): Reading<string> {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > SECRET_FILE_MAX_BYTES) return { problem: `the file of ${name}_FILE is too large` };
    const text = bytes.toString('utf8').replace(/\r?\n$/, '');
    return text === '' ? { problem: `the file of ${name}_FILE is empty` } : { value: text };
  } catch {
    return { problem: `the file of ${name}_FILE cannot be read` };
  }
}

function present(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
