import { readFileSync } from 'node:fs';
import { haveSamePlaceholders, type Languages } from '@vestibule/http/pages';
import type { Reading } from '@vestibule/service/settings';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { BUILT_IN_LANGUAGES } from './built-in-languages.js';
import type { Messages } from './messages.js';

const ENGLISH = BUILT_IN_LANGUAGES.get('en')?.messages as Messages;

const MAX_FILE_BYTES = 1_000_000;
const MAX_SENTENCE_LENGTH = 500;

const LanguageFile = Type.Record(
  Type.String({ pattern: '^[a-z]{2,8}(-[a-z0-9]{1,8})*$' }),
  Type.Object(
    {
      direction: Type.Enum(['ltr', 'rtl']),
      messages: Type.Unsafe<Messages>(
        Type.Object(
          Object.fromEntries(
            Object.keys(ENGLISH).map((name) => [
              name,
              Type.String({ minLength: 1, maxLength: MAX_SENTENCE_LENGTH }),
            ]),
          ),
          { additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  { additionalProperties: false },
);

/**
 * Reads a JSON file of languages, which are added to the built-in ones or replace them: `{"eu": {"direction": "ltr",
 * "messages": {…}}}`. Tags are in lower case. A language has every sentence, each with the placeholders of the English
 * one and no others.
 */
export function readLanguagesFile(path: string): Reading<Languages<Messages>> {
  const file = parsedFile(path);
  if ('problem' in file) return file;
  const { value } = file;
  if (!Value.Check(LanguageFile, value)) {
    const [first] = Value.Errors(LanguageFile, value);
    return {
      problem: `is not a languages file: the error is at ${first?.instancePath.slice(0, 80) || 'the top level'}`,
    };
  }
  const given = Object.entries(value);
  const [invalid] = given.find(([tag]) => !isTag(tag)) ?? [];
  if (invalid !== undefined)
    return { problem: `has the tag "${invalid}", which is not a BCP 47 language tag` };
  const wrong = given.find(([, { messages }]) => !haveSamePlaceholders(messages, ENGLISH));
  if (wrong !== undefined)
    return { problem: 'has a sentence whose placeholders differ from those of the English one' };
  return { value: new Map([...BUILT_IN_LANGUAGES, ...given]) };
}

function parsedFile(path: string): Reading<unknown> {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > MAX_FILE_BYTES) return { problem: 'is too large' };
    return { value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return { problem: 'cannot be read as a JSON file' };
  }
}

function isTag(text: string): boolean {
  try {
    return new Intl.Locale(text).language !== '';
  } catch {
    return false;
  }
}
