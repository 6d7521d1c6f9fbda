import type { PathReport, StatementCheck, StatementReport } from '@vestibule/federation/chains';
import { html, type Markup } from '@vestibule/http/pages';
import { dataTable, instantAt, joined, stateWord } from '../../frame/parts.js';
import { entityText, foreignJson, foreignText } from './foreign-text.js';
import { policyPart } from './policy-part.js';

/** What each check of a statement asks. */
const CHECKS: Readonly<Record<StatementCheck, string>> = {
  linked: 'is about the entity below',
  superior_named: 'the entity below names its issuer',
  alive: 'has not expired',
  constraints: 'the path is within its constraints',
  signature: 'is signed by its issuer',
};

/** Renders one path: its statements with their checks and constraints, its policies and its trust marks. */
export function pathDetails(path: PathReport, index: number): Markup {
  const { entities: chain, trusted, reason, detail, failedAt, statements, metadata, trustMarks } = path;
  const content = joined(
    html`<p>${entities(chain)}</p>`,
    detail === undefined ? undefined : html`<p class="bad">${foreignText(detail)}</p>`,
    failedAt &&
      html`<p class="hint">In the statement of ${entityText(failedAt.issuer)} about ${entityText(failedAt.subject)}.</p>`,
    statementTable(statements),
    constraintTable(statements),
    policyPart(statements, metadata),
    trustMarks && markTable(trustMarks),
  );
  const word = trusted ? stateWord('trusted', 'good') : stateWord(reason ?? 'refused', 'bad');
  const summary = html`<summary>Path ${String(index + 1)}: ${word}, ${String(chain.length)} entities</summary>`;
  return html`<section><h2>Path ${String(index + 1)}</h2>
${index === 0 ? html`<details open>${summary}\n${content}</details>` : html`<details>${summary}\n${content}</details>`}
</section>`;
}

/** Renders the entities of a path, from the subject to the anchor. */
export function entities(chain: readonly string[]): Markup {
  const parts = chain.map((entity, index) =>
    index === 0 ? entityText(entity) : html` → ${entityText(entity)}`,
  );
  return html`${parts}`;
}

function statementTable(statements: readonly StatementReport[]): Markup {
  return html`<h3>Statements</h3>${dataTable(
    'From that of the entity itself to that of the trust anchor',
    [
      { title: 'By', cell: ({ issuer }: StatementReport) => entityText(issuer) },
      { title: 'About', cell: ({ subject }: StatementReport) => entityText(subject) },
      { title: 'Issued', cell: ({ issuedAt }: StatementReport) => instantAt(issuedAt) },
      { title: 'Expires', cell: ({ expiresAt }: StatementReport) => instantAt(expiresAt) },
      { title: 'Key', cell: keyText },
      { title: 'Checks', cell: checkList },
    ],
    statements,
    'No statement was read.',
  )}`;
}

function keyText({ algorithm, keyId }: StatementReport): Markup {
  return html`${foreignText(algorithm)}${keyId === undefined ? undefined : html` <code>${foreignText(keyId, 100)}</code>`}`;
}

function checkList({ checks }: StatementReport): Markup {
  if (checks.length === 0) return html`<span class="none">not checked</span>`;
  const items = checks.map(
    ({ check, passed }) =>
      html`<li>${passed ? stateWord('passed', 'good') : stateWord('failed', 'bad')}: ${CHECKS[check]}</li>`,
  );
  return html`<ul>${items}</ul>`;
}

function constraintTable(statements: readonly StatementReport[]): Markup {
  return html`<h3>Constraints</h3>${dataTable(
    'Constraints of superiors on the path below them',
    [
      { title: 'By', cell: ({ issuer }: StatementReport) => entityText(issuer) },
      { title: 'Constraints', cell: ({ constraints }: StatementReport) => foreignJson(constraints) },
    ],
    statements.filter(({ constraints }) => constraints !== undefined),
    'No superior constrains the path.',
  )}`;
}

type MarkReport = NonNullable<PathReport['trustMarks']>[number];

function markTable(marks: readonly MarkReport[]): Markup {
  return html`<h3>Trust marks</h3>${dataTable(
    'Trust marks of the entity that a registration requires',
    [
      { title: 'Type', cell: ({ type }: MarkReport) => html`<code>${foreignText(type)}</code>` },
      {
        title: 'Result',
        cell: ({ accepted }: MarkReport) =>
          accepted ? stateWord('accepted', 'good') : stateWord('refused', 'bad'),
      },
      { title: 'Issuer', cell: ({ issuer }: MarkReport) => issuer && entityText(issuer) },
      {
        title: 'Expires',
        cell: ({ expiresAt }: MarkReport) => (expiresAt === undefined ? '' : instantAt(expiresAt)),
      },
      {
        title: 'Reason',
        cell: ({ reason, detail }: MarkReport) =>
          reason && html`<code>${reason}</code>: ${foreignText(detail ?? '')}`,
      },
    ],
    marks,
    'No trust mark is required.',
  )}`;
}
