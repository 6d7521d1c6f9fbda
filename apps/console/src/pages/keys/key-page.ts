import { keyRecord, type ListedKey } from '@vestibule/crypto/key-rings';
import { html, type Markup } from '@vestibule/http/pages';
import { Type } from 'typebox';
import { type ConsoleRoute, consolePage } from '../../frame/console-route.js';
import { includesRole } from '../../frame/operator.js';
import { joined, link, section, stateWord, valueList } from '../../frame/parts.js';
import { shownJson } from '../../frame/shown-text.js';
import type { Visit } from '../../frame/visit.js';
import { keyAddress, requireKey } from './key-lookup.js';
import { ageText, at, STATE_TONES, stepText } from './key-words.js';
import { KEYS_PATH, type KeysPagesDeps } from './keys-deps.js';

/** The page of one key. It never shows private parts. */
export function keyPage(deps: KeysPagesDeps): ConsoleRoute {
  const { clock } = deps.store;
  return consolePage({
    path: `${KEYS_PATH}/:id`,
    query: Type.Object({}),
    show: async (visit) => {
      const { listed, step } = await requireKey(deps, visit);
      const record = keyRecord(listed);
      return {
        title: `A key of the ring ${record.ring}`,
        content: joined(
          section(
            'Key',
            joined(
              valueList({
                Identifier: html`<code>${record.id}</code>`,
                Algorithm: record.algorithm,
                State: stateWord(record.state, STATE_TONES[record.state]),
                Created: at(record.created_at * 1_000),
                Age: ageText(record, clock),
                Activated: instantOf(record.activated_at),
                Retired: instantOf(record.retired_at),
                'No longer published': instantOf(record.expires_at),
                'Key-encryption key': record.key_encryption_key,
                Next: stepText(step, clock),
              }),
              changes(visit, listed),
            ),
          ),
          listed.kind === 'signing'
            ? section('Public key', html`<pre>${shownJson({ ...listed.key.publicJwk })}</pre>`)
            : undefined,
          html`<p><a href="${KEYS_PATH}">All keys</a></p>`,
        ),
      };
    },
  });
}

function instantOf(seconds: number | undefined): Markup | undefined {
  return seconds === undefined ? undefined : at(seconds * 1_000);
}

function changes({ operator: { role } }: Visit, listed: ListedKey): Markup | undefined {
  if (!includesRole(role, 'admin')) return undefined;
  const address = keyAddress(listed);
  const { state } = listed.key;
  return html`<p>${joined(
    state === 'pending' ? html`${link(`${address}/activate`, 'Activate the key')} · ` : undefined,
    link(
      `${address}/retire`,
      state === 'retired' ? 'Change when it is no longer published' : 'Retire the key',
    ),
  )}</p>`;
}
