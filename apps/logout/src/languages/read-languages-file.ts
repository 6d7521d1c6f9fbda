import { readFileSync } from 'node:fs';
import type { Reading } from '@vestibule/service-kit/settings';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { BUILT_IN_LANGUAGES } from './built-in-languages.js';
import { en } from './en.js';
import type { Languages, Messages } from './messages.js';

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
            Object.keys(en.messages).map((name) => [
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
 * Reads a JSON file of languages, which come beside the built-in ones or in their place:
 * `{"eu": {"direction": "ltr", "messages": {…}}}` with tags in lower case and every sentence in it, each with the
 * placeholders of the English one and no others.
 */
export function readLanguagesFile(path: string): Reading<Languages> {
  const file = parsedFile(path);
  if ('problem' in file) return file;
  const { value } = file;
  if (!Value.Check(LanguageFile, value)) {
    const [first] = Value.Errors(LanguageFile, value);
    return { problem: `is not a file of languages, at ${first?.instancePath.slice(0, 80) || 'its top'}` };
  }
  const given = Object.entries(value);
  const wrong = given.find(([, { messages }]) => !hasPlaceholders(messages));
  if (wrong !== undefined) return { problem: 'has a sentence with other placeholders than the English one' };
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

/** Whether each sentence speaks of the same names as the English one. */
export function hasPlaceholders(messages: Messages): boolean {
  return (Object.keys(en.messages) as (keyof Messages)[]).every(
    (name) => placeholders(messages[name]) === placeholders(en.messages[name]),
  );
}

function placeholders(sentence: string): string {
  return [...new Set(sentence.match(/\{[^}]*\}/g) ?? [])].toSorted().join();
}
