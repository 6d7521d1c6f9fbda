import { configurationAddress, type FederationReason } from '@vestibule/federation';
import type { PathReport } from '@vestibule/federation/chains';
import { type EntityExplanation, type PathNode, pathTree } from '@vestibule/federation-service';
import { html, type Markup } from '@vestibule/http/pages';
import type { JsonObject } from '@vestibule/protocol/json';
import { dataTable, instantAt, joined, section, stateWord, valueList } from '../../frame/parts.js';
import { entityText, foreignJson, foreignText } from './foreign-text.js';
import { entities, pathDetails } from './path-details.js';

/** Paths that are shown in detail, the most advanced first. */
const MAX_DETAILED_PATHS = 8;

/** Members of client metadata that are shown. */
const MAX_MEMBERS = 100;

/** Renders why an entity is trusted or not: the outcome, its paths as a tree, and each path in detail. */
export function explanationView(explanation: EntityExplanation): Markup {
  const { subject, paths } = explanation;
  const registration = 'registration' in explanation ? explanation.registration : undefined;
  return joined(
    section('Outcome', outcome(explanation)),
    unfetched(explanation),
    section(
      'Paths to trust anchors',
      html`<p class="hint">From the entity to its superiors; each superior is one level further in.</p>
<ul class="tree">${branch(pathTree(subject, paths))}</ul>`,
    ),
    registration && section('What would be registered', registeredTable(registration.metadata)),
    ...paths.slice(0, MAX_DETAILED_PATHS).map(pathDetails),
    paths.length > MAX_DETAILED_PATHS
      ? html`<p class="hint">${String(paths.length - MAX_DETAILED_PATHS)} more paths are shown in the tree only.</p>`
      : undefined,
  );
}

function outcome(explanation: EntityExplanation): Markup {
  const { subject, paths, fetches } = explanation;
  const counts = { 'Paths tried': paths.length, 'Documents fetched': fetches };
  if (!explanation.trusted)
    return valueList({
      Entity: entityText(subject),
      Result: stateWord('not trusted', 'bad'),
      Reason: html`<code>${explanation.reason}</code>: ${foreignText(explanation.detail)}`,
      ...counts,
    });
  const refusal = 'refusal' in explanation ? explanation.refusal : undefined;
  return valueList({
    Entity: entityText(subject),
    Result: refusal ? stateWord('trusted, but not registrable', 'bad') : stateWord('trusted', 'good'),
    Reason: refusal && html`<code>${refusal.error}</code>: ${foreignText(refusal.error_description)}`,
    Chain: entities(explanation.chain),
    'Trust ends': instantAt(explanation.expiresAt),
    'Registration would end':
      'registration' in explanation ? instantAt(explanation.registration.expiresAt) : undefined,
    ...counts,
  });
}

/** Reasons that say that something could not be read, and not that it is wrong. */
const UNREAD: readonly FederationReason[] = [
  'unresolvable',
  'overloaded',
  'no_fetch_endpoint',
  'fetch_budget',
  'time_budget',
  'too_many_hints',
  'trust_mark_unconfirmed',
];

/** What could not be fetched, so that a path may be valid all the same. */
function unfetched(explanation: EntityExplanation): Markup | undefined {
  const failed = explanation.paths.filter(({ reason }) => reason !== undefined && UNREAD.includes(reason));
  if (!explanation.trusted && explanation.paths.length === 0 && UNREAD.includes(explanation.reason))
    return section(
      'What could not be fetched',
      html`<p>The entity configuration at ${entityText(configurationAddress(explanation.subject))}.</p>`,
    );
  if (failed.length === 0) return undefined;
  const items = failed.map(
    ({ failedAt, detail }) =>
      html`<li>${failedAt && statementName(failedAt)}: ${foreignText(detail ?? 'unknown reason')}</li>\n`,
  );
  return section('What could not be fetched', html`<ul>${items}</ul>`);
}

function statementName({ issuer, subject }: NonNullable<PathReport['failedAt']>): Markup {
  return issuer === subject
    ? html`The entity configuration of ${entityText(issuer)}`
    : html`The statement of ${entityText(issuer)} about ${entityText(subject)}`;
}

function branch({ entity, statement, paths, superiors }: PathNode): Markup {
  const failed = statement?.checks.filter(({ passed }) => !passed).map(({ check }) => check) ?? [];
  return html`<li><span class="entity">${entityText(entity)}</span>
${statementLine(statement, failed)}${paths.map(verdict)}
${superiors.length === 0 ? undefined : html`<ul>${superiors.map(branch)}</ul>`}</li>`;
}

function statementLine(statement: PathNode['statement'], failed: readonly string[]): Markup {
  if (statement === undefined) return html`<p class="bad">Its statement could not be fetched.</p>`;
  if (failed.length > 0) return html`<p class="bad">Failed checks: ${failed.join(', ')}</p>`;
  if (statement.checks.length === 0) return html`<p class="none">Its statement was not checked.</p>`;
  return html`<p>${String(statement.checks.length)} checks passed; the statement expires ${instantAt(statement.expiresAt)}.</p>`;
}

function verdict({ trusted, reason, detail }: PathReport): Markup {
  if (trusted) return html`<p>${stateWord('Trusted by this path', 'good')}</p>`;
  return html`<p>${stateWord('This path is refused', 'bad')}: <code>${reason}</code>, ${foreignText(detail ?? '')}</p>`;
}

function registeredTable(metadata: JsonObject): Markup {
  return dataTable(
    'Client metadata',
    [
      {
        title: 'Member',
        cell: ([name]: readonly [string, unknown]) => html`<code>${foreignText(name)}</code>`,
      },
      { title: 'Value', cell: ([, value]: readonly [string, unknown]) => foreignJson(value) },
    ],
    Object.entries(metadata).slice(0, MAX_MEMBERS),
    'There is no metadata.',
  );
}
