import Type, { type TSchema, type TUnsafe } from 'typebox';
import { Secret } from './secret.js';

/** A text that was read, or what is wrong with it in words that do not quote it. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

/** Reads the text of a setting. */
export type SettingReader<T> = (text: string) => Reading<T>;

/** A setting whose value is more than its text. */
export interface SettingOptions<T> {
  /** What the setting does, for operators. */
  readonly description: string;
  /** What the text must look like, for operators: `URL`, `comma-separated digests`. */
  readonly form: string;
  readonly default?: T;
  readonly read: SettingReader<T>;
}

/** The keywords by which settings are more than plain TypeBox types. */
export interface SettingKeywords {
  readonly read?: SettingReader<unknown>;
  readonly form?: string;
  /** Whether the value may come from a file, and is never shown. */
  readonly isSecret?: boolean;
}

/** A setting with its own reader, in place of the conversion by type. */
export function customSetting<T>({ default: fallback, ...keywords }: SettingOptions<T>): TUnsafe<T> {
  return Type.Unsafe<T>({ ...keywords, ...(fallback === undefined ? {} : { default: fallback }) } as TSchema);
}

/** A setting with its own reader whose text is a secret: also readable from the file that `<NAME>_FILE` names. */
export function secretValueSetting<T>({ default: fallback, ...keywords }: SettingOptions<T>): TUnsafe<T> {
  const secret = { ...keywords, isSecret: true };
  return Type.Unsafe<T>({ ...secret, ...(fallback === undefined ? {} : { default: fallback }) } as TSchema);
}

/** What a secret must be like. */
export interface SecretOptions {
  readonly description: string;
  readonly form: string;
  /** What is wrong with the text, in words that do not quote it. */
  readonly problem?: (text: string) => string | undefined;
}

/** A secret: also readable from the file that `<NAME>_FILE` names. */
export function secretSetting({ description, form, problem }: SecretOptions): TUnsafe<Secret> {
  const read: SettingReader<Secret> = (text) => {
    const found = problem?.(text);
    return found === undefined ? { value: new Secret(text) } : { problem: found };
  };
  return Type.Unsafe<Secret>({ description, form, read, isSecret: true } as TSchema);
}

/** The parts of a comma-separated text, without surrounding blanks; empty parts do not count. */
export function splitList(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}
