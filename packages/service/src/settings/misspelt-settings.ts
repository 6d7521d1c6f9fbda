import type { TObject } from 'typebox';
import type { Environment } from './load-settings.js';
import { keywordsOf } from './setting-keywords.js';

/** An environment variable that is not a setting, and the setting whose name is similar. */
export interface MisspeltSetting {
  readonly name: string;
  readonly meant: string;
}

/** Shorter names are too similar to variables of other programs. */
const MIN_LENGTH = 8;
const MAX_EDITS = 2;

/** Finds environment variables that are not settings but differ from one by one or two characters. */
export function misspeltSettings(
  schemas: readonly TObject[],
  environment: Environment,
): readonly MisspeltSetting[] {
  const settings = new Set(schemas.flatMap(({ properties }) => Object.entries(properties).flatMap(namesOf)));
  return Object.keys(environment)
    .filter((name) => name.length >= MIN_LENGTH && !settings.has(name) && environment[name] !== '')
    .flatMap((name) => {
      const meant = [...settings].find((setting) => setting.length >= MIN_LENGTH && isClose(name, setting));
      return meant === undefined ? [] : [{ name, meant }];
    });
}

function namesOf([name, schema]: readonly [string, TObject['properties'][string]]): readonly string[] {
  return keywordsOf(schema).isSecret ? [name, `${name}_FILE`] : [name];
}

/** Whether the Levenshtein distance is at most MAX_EDITS. */
function isClose(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > MAX_EDITS) return false;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    if (Math.min(...next) > MAX_EDITS) return false;
    row = next;
  }
  return (row[other.length] ?? 0) <= MAX_EDITS;
}
