import type { DeniedEntityEntry, FederationMember } from '@vestibule/database';
import { parseNamedEntityId } from '@vestibule/federation';
import { html, type Markup } from '@vestibule/http/pages';
import { nowSeconds } from '@vestibule/protocol';
import { Type } from 'typebox';
import type { ConsoleDeps } from '../../deps.js';
import {
  type ConsolePage,
  type ConsoleRoute,
  consoleAction,
  consolePage,
} from '../../frame/console-route.js';
import { actionForm } from '../../frame/forms.js';
import { includesRole } from '../../frame/operator.js';
import { joined, section } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { allowRoutes } from './allow-entity.js';
import { denyRoutes } from './deny-entity.js';
import { disabledSection } from './disabled-section.js';
import { explainAction, NO_ENTITY } from './explain-action.js';
import { explainForm } from './explain-form.js';
import {
  anchorsSection,
  deniedSection,
  type ListPage,
  membersSection,
  ownKeysSection,
} from './federation-sections.js';

const FEDERATION_PATH = '/federation';
const PURGE_PATH = '/federation/purge';

const MEMBERS_ON_PAGE = 25;
const DENIED_ON_PAGE = 50;

type FederationPagesDeps = Pick<ConsoleDeps, 'store' | 'federation'>;

const FederationQuery = Type.Object({
  /** Fills in the form for an explanation. */
  entity: Type.Optional(Type.String()),
  /** The last member of the page before. */
  after: Type.Optional(Type.String()),
  /** The last denied entity of the page before. */
  denied_after: Type.Optional(Type.String()),
});

/** The federation: explanations, members, trust anchors, denied entities and keys. */
export function federationPages(deps: FederationPagesDeps): readonly ConsoleRoute[] {
  const { store, federation } = deps;
  return [
    consolePage({
      path: FEDERATION_PATH,
      query: FederationQuery,
      notices: {
        allowed: 'The entity is no longer denied.',
        purged: 'Every service discards its cached statements.',
      },
      show: (visit, query) => federationPage(deps, visit, query),
    }),
    explainAction(federation),
    consoleAction({
      path: PURGE_PATH,
      role: 'operator',
      form: Type.Object({}),
      perform: async ({ operator: { actor } }) => {
        await store.database.federation.purgeStatements({ actor, now: nowSeconds(store.clock) });
        return { goTo: FEDERATION_PATH, notice: 'purged' };
      },
    }),
    ...denyRoutes(deps),
    ...allowRoutes(deps),
  ];
}

async function federationPage(
  { store: { database, clock }, federation }: FederationPagesDeps,
  visit: Visit,
  query: { readonly entity?: string; readonly after?: string; readonly denied_after?: string },
): Promise<ConsolePage> {
  const now = nowSeconds(clock);
  const [after, deniedAfter] = [positionOf(query.after), positionOf(query.denied_after)];
  const [members, denied, keys, anchors] = await Promise.all([
    database.federation.members({ ...after, limit: MEMBERS_ON_PAGE + 1 }),
    database.federation.denied(),
    database.signingKeys.list('federation', now),
    federation?.anchors(),
  ]);
  const isWrong = 'problem' in after || 'problem' in deniedAfter;
  return {
    title: 'Federation',
    ...(isWrong && { status: 400 }),
    content: joined(
      isWrong
        ? html`<p class="alert" role="alert">There is no such position in the list: this is its beginning.</p>`
        : undefined,
      federation === undefined ? disabledSection() : explainForm(visit, givenEntity(query.entity)),
      membersSection(pageOfMembers(members), now),
      federation && anchors && anchorsSection(anchors, federation),
      deniedSection(pageOfDenied(denied, deniedAfter.after), includesRole(visit.operator.role, 'admin')),
      ownKeysSection(keys),
      cacheSection(visit),
    ),
  };
}

/** Parses the position of a list: the identifier of an entity. */
function positionOf(text: string | undefined): { readonly after?: string; readonly problem?: true } {
  if (text === undefined) return {};
  const after = parseNamedEntityId(text);
  return after === undefined ? { problem: true } : { after };
}

function givenEntity(entity: string | undefined) {
  const isGood = entity === undefined || parseNamedEntityId(entity) !== undefined;
  return { entity, ...(!isGood && { entityError: NO_ENTITY }) };
}

function pageOfMembers(found: readonly FederationMember[]): ListPage<FederationMember> {
  const rows = found.slice(0, MEMBERS_ON_PAGE);
  const last = rows.at(-1);
  if (last === undefined || found.length <= MEMBERS_ON_PAGE) return { rows };
  return { rows, next: `${FEDERATION_PATH}?${new URLSearchParams({ after: last.entityId })}` };
}

/** The deny list is read whole, as each registration does. */
function pageOfDenied(
  all: readonly DeniedEntityEntry[],
  after: string | undefined,
): ListPage<DeniedEntityEntry> {
  const first = all.findIndex(({ entityId }) => entityId === after) + 1;
  const rows = all.slice(first, first + DENIED_ON_PAGE);
  const last = rows.at(-1);
  if (last === undefined || first + DENIED_ON_PAGE >= all.length) return { rows };
  return { rows, next: `${FEDERATION_PATH}?${new URLSearchParams({ denied_after: last.entityId })}` };
}

function cacheSection(visit: Visit): Markup | undefined {
  const form = actionForm(visit, {
    action: PURGE_PATH,
    role: 'operator',
    button: 'Discard cached statements',
  });
  return (
    form &&
    section(
      'Cached statements',
      joined(
        html`<p>Makes every service discard its cached federation statements and failed fetches. The next registration fetches its whole trust chain again. Registered clients are kept.</p>`,
        form,
      ),
    )
  );
}
