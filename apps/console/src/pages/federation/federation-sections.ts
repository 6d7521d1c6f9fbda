import type { StoredSigningKey } from '@vestibule/crypto/signing-keys';
import type { DeniedEntityEntry, FederationMember } from '@vestibule/database';
import type { EntityId } from '@vestibule/federation';
import type { TrustAnchors } from '@vestibule/federation/chains';
import type { Federation } from '@vestibule/federation-service';
import { html, type Markup, shownName } from '@vestibule/http/pages';
import type { EpochSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { clientPath } from '../../frame/addresses.js';
import { type Column, dataTable, instantAt, joined, link, section, stateWord } from '../../frame/parts.js';
import { ALLOW_PATH } from './allow-entity.js';
import { DENY_PATH } from './deny-entity.js';
import { entityText, foreignText } from './foreign-text.js';

/** A list that may have a next page. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** The address of the next page. */
  readonly next?: string;
}

const DAY_S = 86_400;

/** Renders the clients that are registered entities, with the end of their trust chains. */
export function membersSection({ rows, next }: ListPage<FederationMember>, now: EpochSeconds): Markup {
  const columns: readonly Column<FederationMember>[] = [
    { title: 'Entity', cell: ({ clientId, entityId }) => clientLink(clientId, entityText(entityId)) },
    { title: 'Name', cell: ({ name }) => name && html`<bdi>${shownName(name)}</bdi>` },
    { title: 'Trust anchor', cell: ({ trustAnchor }) => entityText(trustAnchor) },
    { title: 'Immediate superior', cell: ({ superior }) => entityText(superior) },
    { title: 'Trust chain ends', cell: ({ chainExpiresAt }) => chainEnd(chainExpiresAt, now) },
    { title: 'State', cell: ({ isActive }) => (isActive ? 'active' : stateWord('not active', 'waiting')) },
    { title: 'Trust', cell: ({ entityId }) => link(explainAddress(entityId), 'Explain') },
  ];
  return section(
    'Members',
    joined(
      dataTable('Entities that are registered as clients', columns, rows, 'No entity is registered.'),
      nextLink(next, 'Next members'),
    ),
  );
}

function chainEnd(expiresAt: EpochSeconds, now: EpochSeconds): Markup {
  const end = instantAt(expiresAt);
  if (expiresAt <= now) return html`${end} ${stateWord('ended', 'bad')}`;
  return expiresAt - now < DAY_S ? html`${end} ${stateWord('within a day', 'waiting')}` : end;
}

/** A key of a trust anchor. */
interface AnchorKey {
  readonly anchor: EntityId;
  readonly key: JsonObject;
  readonly isUsable: boolean;
}

/** Renders the trust anchors with their configured keys and the conditions for members. */
export function anchorsSection(anchors: TrustAnchors, federation: Federation): Markup {
  const keys = [...anchors].flatMap(([anchor, { keys: all, usableKeys }]) =>
    all.map(
      (key): AnchorKey => ({ anchor, key, isUsable: usableKeys.some(({ kid }) => kid === key['kid']) }),
    ),
  );
  return section(
    'Trust anchors',
    joined(
      dataTable(
        'Keys of the trust anchors, as configured',
        [
          { title: 'Trust anchor', cell: ({ anchor }: AnchorKey) => entityText(anchor) },
          { title: 'Key', cell: ({ key }: AnchorKey) => keyMember(key, 'kid') },
          { title: 'Type', cell: ({ key }: AnchorKey) => keyMember(key, 'kty') },
          { title: 'Algorithm', cell: ({ key }: AnchorKey) => keyMember(key, 'alg') },
          {
            title: 'State',
            cell: ({ isUsable }: AnchorKey) =>
              isUsable ? stateWord('usable', 'good') : stateWord('unknown type', 'waiting'),
          },
        ],
        keys,
        'There is no trust anchor.',
      ),
      dataTable(
        'Conditions for members',
        [
          { title: 'Trust anchor', cell: (anchor: EntityId) => entityText(anchor) },
          {
            title: 'Intermediates at most',
            cell: (anchor: EntityId) =>
              federation.byAnchor.get(anchor)?.maxPathLength ?? federation.maxPathLength,
          },
          {
            title: 'Required trust marks',
            cell: (anchor: EntityId) =>
              marksText(federation.byAnchor.get(anchor)?.requiredMarks ?? federation.requiredMarks),
          },
        ],
        [...anchors.keys()],
        'There is no trust anchor.',
      ),
    ),
  );
}

function keyMember(key: JsonObject, name: string): Markup | undefined {
  const value = key[name];
  return typeof value === 'string' ? html`<code>${foreignText(value, 100)}</code>` : undefined;
}

function marksText(groups: Federation['requiredMarks']): Markup {
  if (groups.length === 0) return html`<span class="none">none</span>`;
  return html`${foreignText(groups.map((group) => group.join(' or ')).join(', and '), 1_000)}`;
}

/** Renders the keys with which the provider signs its statements. */
export function ownKeysSection(keys: readonly StoredSigningKey[]): Markup {
  return section(
    'Keys of this entity',
    joined(
      dataTable(
        'Keys that sign the statements of this provider',
        [
          { title: 'Key', cell: ({ kid }: StoredSigningKey) => html`<code>${kid}</code>` },
          { title: 'Algorithm', cell: ({ algorithm }: StoredSigningKey) => algorithm },
          { title: 'State', cell: ({ state }: StoredSigningKey) => state },
          { title: 'Created', cell: ({ createdAt }: StoredSigningKey) => instantAt(createdAt) },
          {
            title: 'Ends',
            cell: ({ expiresAt }: StoredSigningKey) => (expiresAt === undefined ? '' : instantAt(expiresAt)),
          },
        ],
        keys,
        'There is no federation key: the federation service creates the first one when it starts.',
      ),
      html`<p>${link('/keys', 'All keys')}</p>`,
    ),
  );
}

/** Renders the deny list, with the ways to change it for those who may. */
export function deniedSection({ rows, next }: ListPage<DeniedEntityEntry>, mayChange: boolean): Markup {
  const columns: readonly Column<DeniedEntityEntry>[] = [
    { title: 'Entity', cell: ({ entityId }) => entityText(entityId) },
    { title: 'Since', cell: ({ deniedAt }) => instantAt(deniedAt) },
    { title: 'Reason', cell: ({ reason }) => reason && foreignText(reason, 500) },
    ...(mayChange
      ? [
          {
            title: 'Change',
            cell: ({ entityId }: DeniedEntityEntry) =>
              link(`${ALLOW_PATH}?${new URLSearchParams({ entity: entityId })}`, 'Allow'),
          },
        ]
      : []),
  ];
  return section(
    'Denied entities',
    joined(
      dataTable('Entities that are accepted in no trust chain', columns, rows, 'No entity is denied.'),
      nextLink(next, 'Next denied entities'),
      mayChange ? html`<p>${link(DENY_PATH, 'Deny an entity')}</p>` : undefined,
    ),
  );
}

/** The address of the page with the form for an explanation, filled in. */
function explainAddress(entityId: string): string {
  return `/federation?${new URLSearchParams({ entity: entityId })}`;
}

function clientLink(clientId: string, text: Markup): Markup {
  return html`<a href="${clientPath(clientId)}">${text}</a>`;
}

function nextLink(address: string | undefined, text: string): Markup | undefined {
  return address === undefined ? undefined : html`<p>${link(address, text)}</p>`;
}
