import Type, { type TSchema, type TUnsafe } from 'typebox';
import { Secret } from './secret.js';

/** The parsed value, or a problem that does not quote the text. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

/** Parses the text of a setting. */
export type SettingReader<T> = (text: string) => Reading<T>;

/** Options of a setting with its own parser. */
export interface SettingOptions<T> {
  /** Meaning of the setting, for operators. */
  readonly description: string;
  /** Expected format, for operators: `URL`, `comma-separated digests`. */
  readonly form: string;
  readonly default?: T;
  readonly read: SettingReader<T>;
}

/** Schema keywords of settings that TypeBox does not have. */
export interface SettingKeywords {
  readonly read?: SettingReader<unknown>;
  readonly form?: string;
  /** Whether the value is a secret: it may come from a file and is never shown. */
  readonly isSecret?: boolean;
}

/** Creates a setting with its own parser instead of conversion by type. */
export function customSetting<T>({ default: fallback, ...keywords }: SettingOptions<T>): TUnsafe<T> {
  return Type.Unsafe<T>({ ...keywords, ...(fallback === undefined ? {} : { default: fallback }) } as TSchema);
}

/** Creates a secret setting with its own parser. The value may also come from the file that `<NAME>_FILE` names. */
export function secretValueSetting<T>({ default: fallback, ...keywords }: SettingOptions<T>): TUnsafe<T> {
  const secret = { ...keywords, isSecret: true };
  return Type.Unsafe<T>({ ...secret, ...(fallback === undefined ? {} : { default: fallback }) } as TSchema);
}

/** Options of a secret. */
export interface SecretOptions {
  readonly description: string;
  readonly form: string;
  /** Returns the problem of the text, without quoting it. */
  readonly problem?: (text: string) => string | undefined;
}

/** Creates a secret setting. The value may also come from the file that `<NAME>_FILE` names. */
export function secretSetting({ description, form, problem }: SecretOptions): TUnsafe<Secret> {
  const read: SettingReader<Secret> = (text) => {
    const found = problem?.(text);
    return found === undefined ? { value: new Secret(text) } : { problem: found };
  };
  return Type.Unsafe<Secret>({ description, form, read, isSecret: true } as TSchema);
}

/** Splits a comma-separated text; trims parts and drops empty ones. */
export function splitList(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}
