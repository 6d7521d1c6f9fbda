import type { MetadataReport, StatementReport } from '@vestibule/federation/chains';
import { html, type Markup } from '@vestibule/http/pages';
import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import { differences, type MemberDifference } from '../../frame/difference.js';
import { dataTable, joined, stateWord } from '../../frame/parts.js';
import { entityText, foreignJson, foreignText } from './foreign-text.js';

/** Rows of a table of policies; a federation may state more operators than anyone reads. */
const MAX_ROWS = 100;

/** One operator for one parameter. */
interface PolicyRow {
  readonly name: string;
  readonly operator: string;
  /** The operands, with the superiors that state them; that of the immediate superior first. */
  readonly stated: readonly (readonly [issuer: string, operand: JsonValue])[];
  readonly merged: JsonValue | undefined;
  readonly step: MetadataReport['steps'][number] | undefined;
}

/** Renders the policies of a path side by side: as stated, as merged, and what they did to the metadata. */
export function policyPart(
  statements: readonly StatementReport[],
  metadata: MetadataReport | undefined,
): Markup {
  const rows = policyRows(statements, metadata);
  const changed =
    metadata?.resolved === undefined ? undefined : changedParameters(metadata.own, metadata.resolved);
  return joined(
    html`<h3>Policies</h3>`,
    dataTable(
      'Operators by parameter: as each superior states them, as merged, and what they do to the metadata',
      [
        { title: 'Parameter', cell: ({ name }: PolicyRow) => html`<code>${foreignText(name)}</code>` },
        { title: 'Operator', cell: ({ operator }: PolicyRow) => html`<code>${foreignText(operator)}</code>` },
        { title: 'Stated', cell: statedList },
        { title: 'Merged', cell: ({ merged }: PolicyRow) => foreignJson(merged) },
        { title: 'Resolved', cell: effect },
      ],
      rows.slice(0, MAX_ROWS),
      'No superior states a policy.',
    ),
    rows.length > MAX_ROWS
      ? html`<p class="hint">${String(rows.length - MAX_ROWS)} more operators are not shown.</p>`
      : undefined,
    changed &&
      joined(
        html`<h3>Metadata</h3>`,
        dataTable(
          'Parameters that superiors changed',
          [
            {
              title: 'Parameter',
              cell: ({ name }: MemberDifference) => html`<code>${foreignText(name)}</code>`,
            },
            { title: 'Own', cell: ({ before }: MemberDifference) => foreignJson(before) },
            { title: 'Resolved', cell: ({ after }: MemberDifference) => foreignJson(after) },
          ],
          changed.slice(0, MAX_ROWS),
          'Superiors changed nothing.',
        ),
      ),
  );
}

function policyRows(
  statements: readonly StatementReport[],
  metadata: MetadataReport | undefined,
): readonly PolicyRow[] {
  const stated = statements.flatMap(({ issuer, policy }) =>
    operatorsOf(policy).map((entry) => ({ ...entry, issuer })),
  );
  const merged = operatorsOf(metadata?.policy);
  const statedByKey = new Map<string, (readonly [issuer: string, operand: JsonValue])[]>();
  for (const { issuer, operand, ...entry } of stated) {
    const key = keyOf(entry);
    statedByKey.set(key, [...(statedByKey.get(key) ?? []), [issuer, operand]]);
  }
  const mergedByKey = new Map(merged.map((entry) => [keyOf(entry), entry.operand]));
  const steps = new Map(
    metadata?.steps.map((step) => [keyOf({ name: nameOf(step), operator: step.operator }), step]),
  );
  const byKey = new Map([...stated, ...merged].map((entry) => [keyOf(entry), entry]));
  return [...byKey].map(([key, { name, operator }]) => ({
    name,
    operator,
    stated: statedByKey.get(key) ?? [],
    merged: mergedByKey.get(key),
    step: steps.get(key),
  }));
}

interface StatedOperator {
  /** Entity type and parameter. */
  readonly name: string;
  readonly operator: string;
  readonly operand: JsonValue;
}

/** The operators of a policy; what is not shaped like a policy is left out, since its statement is refused anyway. */
function operatorsOf(policy: JsonObject | undefined): readonly StatedOperator[] {
  return membersOf(policy).flatMap(([entityType, parameters]) =>
    membersOf(parameters).flatMap(([parameter, operators]) =>
      membersOf(operators).map(([operator, operand]) => ({
        name: nameOf({ entityType, parameter }),
        operator,
        operand,
      })),
    ),
  );
}

function membersOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function nameOf({
  entityType,
  parameter,
}: {
  readonly entityType: string;
  readonly parameter: string;
}): string {
  return `${entityType}.${parameter}`;
}

function keyOf({ name, operator }: Pick<StatedOperator, 'name' | 'operator'>): string {
  return JSON.stringify([name, operator]);
}

function statedList({ stated }: PolicyRow): Markup {
  if (stated.length === 0) return foreignJson(undefined);
  const items = stated.map(
    ([issuer, operand]) => html`<li>${entityText(issuer)}: ${foreignJson(operand)}</li>`,
  );
  return html`<ul>${items}</ul>`;
}

function effect({ step }: PolicyRow): Markup {
  if (step === undefined) return html`<span class="none">not applied</span>`;
  if (!step.passed) return html`${stateWord('violated', 'bad')} by ${foreignJson(step.before)}`;
  if (JSON.stringify(step.before) === JSON.stringify(step.after))
    return html`${stateWord('kept', 'good')}: ${foreignJson(step.after)}`;
  return html`${foreignJson(step.before)} → ${foreignJson(step.after)}`;
}

function changedParameters(
  own: MetadataReport['own'],
  resolved: NonNullable<MetadataReport['resolved']>,
): readonly MemberDifference[] {
  const types = [...new Set([...Object.keys(own), ...Object.keys(resolved)])];
  return types.flatMap((entityType) =>
    differences(own[entityType] ?? {}, resolved[entityType] ?? {}).map((member) => ({
      ...member,
      name: nameOf({ entityType, parameter: member.name }),
    })),
  );
}
