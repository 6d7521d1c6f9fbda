import { type EntityId, parseNamedEntityId } from '@vestibule/federation';
import { carryOutDenial } from '@vestibule/federation/clients';
import { hiddenFields, html, type Markup } from '@vestibule/http/pages';
import { Type } from 'typebox';
import type { ConsoleDeps } from '../../deps.js';
import { clientPath } from '../../frame/addresses.js';
import { confirmationWord } from '../../frame/confirmation-word.js';
import { type Confirmation, confirmedAction } from '../../frame/confirmed-action.js';
import type { ConsolePage, ConsoleRoute } from '../../frame/console-route.js';
import { actionForm, textField } from '../../frame/forms.js';
import { dataTable, joined, link, section } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { countText } from '../../live/live-figures.js';
import { type ClientsThrough, clientsThrough, readSeen } from './clients-through.js';
import { lockoutByDenial } from './denial-lockout.js';
import { NO_ENTITY } from './explain-action.js';
import { entityText, foreignText } from './foreign-text.js';
import { requireEntity } from './named-entity.js';

/** Path of the page and the action that deny an entity. */
export const DENY_PATH = '/federation/deny';

/** Clients that are named before they are deleted. */
const MAX_NAMED = 20;
/** Time after which a denial stops deleting clients, so that the page appears; the operator goes on from there. */
const MAX_MS = 10_000;
const MAX_REASON_LENGTH = 500;

type DenialDeps = Pick<ConsoleDeps, 'store' | 'loginClient'>;

/**
 * The page and the action that deny an entity, which deletes clients: not more of them than the page showed, and never
 * that of the console.
 */
export function denyRoutes(deps: DenialDeps): readonly ConsoleRoute[] {
  const { database, clock } = deps.store;
  return confirmedAction({
    path: DENY_PATH,
    role: 'admin',
    fields: Type.Object({
      entity: Type.Optional(Type.String()),
      reason: Type.Optional(Type.String()),
      /** The number of clients that the person saw. */
      seen: Type.Optional(Type.String()),
    }),
    describe: async (_visit, { entity = '', reason }, errors) => {
      const entityId = parseNamedEntityId(entity);
      if (entityId === undefined) return entityPage(entity);
      const lockout = await lockoutByDenial(deps, entityId);
      if (lockout !== undefined) return refusedPage(lockout);
      return describeDenial(deps, { entityId, reason, reasonError: errors['reason'] });
    },
    perform: async (visit, { entity = '', reason, seen }) => {
      if (!isReason(reason)) return { errors: { reason: NO_REASON } };
      const entityId = requireEntity(entity);
      const maxClients = readSeen(seen);
      const through = await clientsThrough(deps, entityId);
      if (through.isMoreThan(maxClients)) return { errors: { general: moreThanSeen(through) }, status: 409 };
      const { actor } = visit.operator;
      const { deleted, left } = await carryOutDenial(
        { clock, clients: database.clients, records: database.federation },
        { entityId, ...(reason !== undefined && { reason }), actor, maxMs: MAX_MS, maxClients },
      );
      return denied(visit, { entityId, reason, deleted: deleted.length, left });
    },
  });
}

function moreThanSeen({ text }: ClientsThrough): string {
  return `Nothing was changed. More clients would be deleted than this page showed: by now there are ${text.toLowerCase()}.`;
}

function refusedPage(alert: string): ConsolePage {
  return {
    title: 'Deny an entity',
    status: 409,
    content: html`<p class="alert" role="alert">${alert}</p>
<p>${link('/federation', 'Go to the federation')}</p>`,
  };
}

const NO_REASON = `The reason must be one line of at most ${MAX_REASON_LENGTH} characters.`;

function isReason(reason: string | undefined): boolean {
  return reason === undefined || (reason.length <= MAX_REASON_LENGTH && !/\p{Cc}/u.test(reason));
}

/** The form for the identifier; the next page shows what would be deleted. */
function entityPage(entity: string): ConsolePage {
  const error = entity === '' ? undefined : NO_ENTITY;
  return {
    title: 'Deny an entity',
    content: section(
      'Which entity',
      html`<form method="get" action="${DENY_PATH}">
${textField({ name: 'entity', label: 'Entity identifier', value: entity, error, required: true, maxLength: 2_048 })}
<div class="actions"><button>Continue</button></div>
</form>`,
    ),
    ...(error !== undefined && { status: 400 }),
  };
}

interface DenyContent {
  readonly entityId: EntityId;
  readonly reason?: string | undefined;
  readonly reasonError?: string | undefined;
}

async function describeDenial(
  deps: DenialDeps,
  { entityId, reason, reasonError }: DenyContent,
): Promise<Confirmation> {
  const [{ ids, text, seen }, list] = await Promise.all([
    clientsThrough(deps, entityId),
    deps.store.database.federation.denied(),
  ]);
  const entry = list.find((other) => other.entityId === entityId);
  return {
    title: 'Deny an entity',
    content: html`<p>From now on, registrations are refused if their trust chain contains ${entityText(entityId)} as subject, superior, trust anchor, or issuer or owner of a required trust mark. It takes effect at once in every service.</p>
${entry && html`<p>The entity is denied already${entry.reason === undefined ? undefined : html`: ${foreignText(entry.reason)}`}. Denying it again replaces the reason.</p>`}`,
    sections: section(
      'Clients that are deleted with everything that was issued to them',
      joined(
        dataTable(
          `${text} clients are registered through this entity`,
          [{ title: 'Client', cell: (id: string) => clientLink(id) }],
          ids.slice(0, MAX_NAMED),
          'No client is registered through this entity.',
        ),
        ids.length > MAX_NAMED
          ? html`<p class="hint">Only ${countText(MAX_NAMED)} of them are listed.</p>`
          : undefined,
      ),
    ),
    fields: textField({
      name: 'reason',
      label: 'Reason',
      value: reason ?? entry?.reason,
      hint: 'Shown in the deny list.',
      error: reasonError,
      maxLength: MAX_REASON_LENGTH,
    }),
    word: confirmationWord(entityId),
    button: 'Deny the entity',
    hidden: { entity: entityId, seen },
    back: link('/federation', 'Go to the federation'),
  };
}

interface Denied {
  readonly entityId: EntityId;
  readonly reason: string | undefined;
  readonly deleted: number;
  readonly left: number;
}

/** The outcome of a denial; while clients are left, with the form that goes on. */
function denied(visit: Visit, { entityId, reason, deleted, left }: Denied): ConsolePage {
  const content = joined(
    html`<p class="notice" role="status">${entityText(entityId)} is denied; clients deleted: ${countText(deleted)}.</p>`,
    left === 0
      ? undefined
      : joined(
          html`<p class="alert">Clients that are left: ${countText(left)}. Go on to delete them.</p>`,
          actionForm(visit, {
            action: DENY_PATH,
            role: 'admin',
            button: 'Go on',
            isDangerous: true,
            content: html`${hiddenFields({ entity: entityId, reason, seen: String(left), confirmation: confirmationWord(entityId) })}`,
          }),
        ),
    html`<p>${link('/federation', 'Go to the federation')}</p>`,
  );
  return { title: 'The entity is denied', content };
}

function clientLink(id: string): Markup {
  return html`<a href="${clientPath(id)}"><code>${foreignText(id)}</code></a>`;
}
