import { type EntityExplanation, type PathNode, pathTree } from '@vestibule/federation-service';
import type { JsonObject } from '@vestibule/protocol/json';
import { plainText, timeText } from '../../frame/plain-text.js';

/** Formats an explanation as text: the verdict, every tried path as a tree, and what would be registered. */
export function explanationLines(explanation: EntityExplanation): readonly string[] {
  const { subject, paths, fetches } = explanation;
  return [
    verdict(explanation),
    '',
    ...(paths.length === 0 ? [] : [...treeLines(pathTree(subject, paths)), '']),
    ...('registration' in explanation ? registrationLines(explanation.registration) : []),
    ...('refusal' in explanation ? refusalLines(explanation.refusal) : []),
    `Documents fetched: ${fetches}`,
  ];
}

function verdict(explanation: EntityExplanation): string {
  const entity = plainText(explanation.subject);
  if (explanation.trusted) return `${entity} is trusted until ${timeText(explanation.expiresAt)}.`;
  return `${entity} is not trusted: ${plainText(`${explanation.reason}, ${explanation.detail}`)}.`;
}

function refusalLines({
  error,
  error_description,
}: {
  readonly error: string;
  readonly error_description: string;
}): readonly string[] {
  return [`Refused by the registration rules: ${plainText(error_description)} (${error})`, ''];
}

function treeLines(node: PathNode, indent = '', branch = ''): readonly string[] {
  const below = branch === '' ? '' : branch === '├─ ' ? '│  ' : '   ';
  const continued = `${indent}${below}`;
  const rest = node.superiors.length > 0 ? '│  ' : '   ';
  return [
    `${indent}${branch}${plainText(node.entity)}`,
    ...remarks(node).map((remark) => `${continued}${rest}${remark}`),
    ...node.superiors.flatMap((superior, index) =>
      treeLines(superior, continued, index === node.superiors.length - 1 ? '└─ ' : '├─ '),
    ),
  ];
}

function remarks({ statement, paths }: PathNode): readonly string[] {
  return [
    statementRemark(statement),
    ...paths.map(({ trusted, reason, detail }) =>
      trusted
        ? '✓ trusted by this path'
        : `✗ refused: ${plainText([reason, detail].filter((part) => part !== undefined).join(', '))}`,
    ),
  ];
}

function statementRemark(statement: PathNode['statement']): string {
  if (statement === undefined) return '✗ its statement could not be fetched';
  const failed = statement.checks.filter(({ passed }) => !passed).map(({ check }) => check);
  if (failed.length > 0) return `✗ ${failed.join(', ')}`;
  if (statement.checks.length === 0) return '- its statement was not checked';
  return `✓ ${statement.checks.length} checks passed; its statement expires ${timeText(statement.expiresAt)}`;
}

function registrationLines({
  metadata,
  expiresAt,
}: {
  readonly metadata: JsonObject;
  readonly expiresAt: number;
}): readonly string[] {
  return [
    `Would be registered until ${timeText(expiresAt)} with:`,
    ...Object.entries(metadata).map(([name, value]) => `  ${plainText(`${name}: ${JSON.stringify(value)}`)}`),
    '',
  ];
}
