import Type, { type TObject } from 'typebox';
import { expectation } from './read-setting.js';
import { type Keywords, keywordsOf } from './setting-keywords.js';

/** The settings of a service as a Markdown table, for its README. Deterministic: the order is that of the schema. */
export function settingsReference(schema: TObject): string {
  const rows = Object.entries(schema.properties).map(([name, member]) => {
    const keywords = keywordsOf(member);
    const cells = [
      `\`${name}\``,
      expectation(keywords),
      fallback(keywords, !Type.IsOptional(member)),
      describe(name, keywords),
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return ['| variable | value | default | meaning |', '|---|---|---|---|', ...rows, ''].join('\n');
}

function fallback({ default: value }: Keywords, isRequired: boolean): string {
  if (value === undefined) return isRequired ? 'required' : 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : `\`${value.join(',')}\``;
  return `\`${typeof value === 'object' ? JSON.stringify(value) : String(value)}\``;
}

function describe(name: string, { description, isSecret }: Keywords): string {
  return isSecret ? `${description} Secret; also from the file in \`${name}_FILE\`.` : description;
}
