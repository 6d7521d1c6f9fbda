import type { MetadataReport, PathReport, StatementReport } from '@vestibule/federation/chains';
import { html, type Markup, page, pageHeaders, pagePolicy } from '@vestibule/http/pages';
import type { EntityExplanation } from '../explain-entity.js';
import { EXPLANATION_STYLE } from './explanation-style.js';
import { type PathNode, pathTree } from './path-tree.js';

/** A page with its headers. */
export interface ExplanationPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The headers of every explanation page. */
export const EXPLANATION_PAGE_HEADERS = pageHeaders(pagePolicy({ style: EXPLANATION_STYLE }));

/** Renders an explanation: the paths as a tree, then each path in detail. */
export function explanationPage(explanation: EntityExplanation, footer?: Markup): ExplanationPage {
  const { subject, paths, fetches } = explanation;
  const registration = 'registration' in explanation ? explanation.registration : undefined;
  const content = html`
<p class="code">${subject}</p>
${outcome(explanation)}
<p class="faint">Statements fetched: ${String(fetches)}. Paths tried: ${String(paths.length)}.</p>
<h2>Paths</h2>
<ul class="tree">${branch(pathTree(subject, paths))}</ul>
${registration && html`<h2>What would be registered</h2><pre>${json(registration.metadata)}</pre>`}
${paths.map((path, index) => pathDetails(path, index === 0))}
${footer}`;
  const body = page({ style: EXPLANATION_STYLE, title: 'Trust in an entity', content });
  return { headers: EXPLANATION_PAGE_HEADERS, body };
}

function outcome(explanation: EntityExplanation): Markup {
  if (!explanation.trusted)
    return html`<p class="bad">Not trusted: ${explanation.reason}</p><p>${explanation.detail}</p>`;
  const refusal = 'refusal' in explanation ? explanation.refusal : undefined;
  return html`<p class="good">Trusted until ${time(explanation.expiresAt)}</p>
${refusal && html`<p class="bad">Not registrable: ${refusal.error}</p><p>${refusal.error_description}</p>`}`;
}

function branch({ entity, statement, paths, superiors }: PathNode): Markup {
  return html`<li><span class="node code">${entity}</span> ${statement && marks(statement)}
${paths.map(verdict)}
${superiors.length === 0 ? undefined : html`<ul>${superiors.map(branch)}</ul>`}</li>`;
}

function verdict({ trusted, reason }: PathReport): Markup {
  return trusted ? html`<span class="good">trusted</span>` : html`<span class="bad">${reason}</span>`;
}

function marks({ checks }: StatementReport): Markup {
  const shown = checks.map(({ check, passed }) =>
    passed ? html`<span class="good" title="${check}">✓</span>` : html`<span class="bad">✗ ${check}</span>`,
  );
  return html`${shown}`;
}

function pathDetails(path: PathReport, isOpen: boolean): Markup {
  const { entities, detail, failedAt, statements, metadata } = path;
  const summary = html`<summary>${verdict(path)} ${entities.join(' → ')}</summary>`;
  const content = html`${summary}
${detail && html`<p class="bad">${detail}</p>`}
${failedAt && html`<p class="faint">In the statement of ${failedAt.issuer} about ${failedAt.subject}.</p>`}
${statements.length === 0 ? undefined : statementTable(statements)}
${metadata && metadataSteps(metadata)}`;
  return isOpen ? html`<details open>${content}</details>` : html`<details>${content}</details>`;
}

function statementTable(statements: readonly StatementReport[]): Markup {
  const rows = statements.map(
    (
      statement,
    ) => html`<tr><td data-name="by" class="code">${statement.issuer}</td><td data-name="about" class="code">${statement.subject}</td>
<td data-name="life"><span class="short">${time(statement.issuedAt)}</span> – <span class="short">${time(statement.expiresAt)}</span></td>
<td data-name="alg" class="short">${statement.algorithm}</td><td data-name="checks">${marks(statement)}</td></tr>`,
  );
  return html`<h3>Statements</h3><table><tr><th>by</th><th>about</th><th>life</th><th>alg</th><th>checks</th></tr>${rows}</table>`;
}

function metadataSteps({ own, merges, policy, steps, resolved }: MetadataReport): Markup {
  return html`<h3>Metadata of the entity</h3><pre>${json(own)}</pre>
${merges.length === 0 ? undefined : html`<h3>Merging of policies</h3>${merges.map((step) => html`<pre>${json(step)}</pre>`)}`}
${policy && html`<h3>Merged policy</h3><pre>${json(policy)}</pre>`}
${steps.length === 0 ? undefined : html`<h3>Application of the policy</h3>${steps.map((step) => html`<pre>${json(step)}</pre>`)}`}
${resolved && html`<h3>Resolved metadata</h3><pre>${json(resolved)}</pre>`}`;
}

function time(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

function json(value: object): string {
  return JSON.stringify(value, undefined, 2);
}
