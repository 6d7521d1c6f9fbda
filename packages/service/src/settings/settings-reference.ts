import Type, { type TObject } from 'typebox';
import { expectation } from './read-setting.js';
import { type Keywords, keywordsOf } from './setting-keywords.js';

/** Documentation of a setting. */
export interface SettingDescription {
  readonly name: string;
  /** Expected format. */
  readonly form: string;
  /** Its default as text, `required` or `none`. */
  readonly default: string;
  readonly description: string;
  /** Whether the value is a secret, which may come from the file that `<NAME>_FILE` names. */
  readonly isSecret: boolean;
}

/** The longest default that is shown in one piece, in characters. */
const MAX_CODE_LENGTH = 60;

/** Describes the settings of a schema in order. */
export function describeSettings(schema: TObject): readonly SettingDescription[] {
  return Object.entries(schema.properties).map(([name, member]) => {
    const keywords = keywordsOf(member);
    return {
      name,
      form: expectation(keywords),
      default: fallback(keywords, !Type.IsOptional(member)),
      description: keywords.description,
      isSecret: keywords.isSecret,
    };
  });
}

/** Renders the settings of a service as a Markdown table for its README, in the order of the schema. */
export function settingsReference(schema: TObject): string {
  const rows = describeSettings(schema).map((setting) => {
    const { name, form, default: value } = setting;
    const cells = [`\`${name}\``, form, defaultCell(value), describe(setting)];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return ['| variable | value | default | meaning |', '|---|---|---|---|', ...rows, ''].join('\n');
}

/** A long list becomes one code element for each value, since browsers break lines only between elements. */
function defaultCell(value: string): string {
  if (value === 'required' || value === 'none') return value;
  const isLongList = value.length > MAX_CODE_LENGTH && !value.startsWith('{');
  const parts = isLongList ? value.split(',') : [value];
  return parts.map((part) => `\`${part}\``).join(', ');
}

function fallback({ default: value }: Keywords, isRequired: boolean): string {
  if (value === undefined) return isRequired ? 'required' : 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function describe({ name, description, isSecret }: SettingDescription): string {
  return isSecret ? `${description} Secret; also from the file in \`${name}_FILE\`.` : description;
}
