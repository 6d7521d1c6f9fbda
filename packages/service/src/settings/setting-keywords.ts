import type { TSchema } from 'typebox';
import type { SettingReader } from './setting.js';

/** Schema keywords that are used to read and describe a setting. */
export interface Keywords {
  readonly type: string | undefined;
  readonly description: string;
  readonly form: string | undefined;
  readonly default: unknown;
  readonly choices: readonly string[] | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  /** Whether the array is a comma-separated list of texts rather than JSON. */
  readonly isTextList: boolean;
  readonly isSecret: boolean;
  readonly read: SettingReader<unknown> | undefined;
}

/** Reads the keywords of a schema; missing or mistyped ones are absent. */
export function keywordsOf(schema: TSchema): Keywords {
  const raw: Readonly<Record<string, unknown>> = { ...schema };
  return {
    type: text(raw['type']),
    description: text(raw['description']) ?? '',
    form: text(raw['form']),
    default: raw['default'],
    choices: isTexts(raw['enum']) ? raw['enum'] : undefined,
    minimum: number(raw['minimum']),
    maximum: number(raw['maximum']),
    minLength: number(raw['minLength']),
    maxLength: number(raw['maxLength']),
    isTextList: raw['type'] === 'array' && hasTextItems(raw['items']),
    isSecret: raw['isSecret'] === true,
    read: isReader(raw['read']) ? raw['read'] : undefined,
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function hasTextItems(items: unknown): boolean {
  if (typeof items !== 'object' || items === null) return false;
  return ('type' in items && items.type === 'string') || 'enum' in items;
}

function isReader(value: unknown): value is SettingReader<unknown> {
  return typeof value === 'function';
}
