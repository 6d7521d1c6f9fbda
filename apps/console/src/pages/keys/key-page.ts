import { keyRecord, type ListedKey } from '@vestibule/crypto/key-rings';
import { html, type Markup } from '@vestibule/http/pages';
import { Type } from 'typebox';
import { type ConsolePage, type ConsoleRoute, consolePage } from '../../frame/console-route.js';
import { includesRole } from '../../frame/operator.js';
import { joined, link, section, stateWord, valueList } from '../../frame/parts.js';
import { shownJson } from '../../frame/shown-text.js';
import type { Visit } from '../../frame/visit.js';
import { lockoutByRetirement } from './digest-key-lockout.js';
import { type KeyWithStep, keyAddress, requireKey } from './key-lookup.js';
import { ageText, at, STATE_TONES, stepText } from './key-words.js';
import { KEYS_PATH, type KeysPagesDeps } from './keys-deps.js';

/** The page of one key. It never shows private parts. */
export function keyPage(deps: KeysPagesDeps): ConsoleRoute {
  return consolePage({
    path: `${KEYS_PATH}/:id`,
    query: Type.Object({}),
    show: async (visit) => showKey(deps, visit, await requireKey(deps, visit)),
  });
}

/**
 * Renders the page of a key.
 * @param refusal why it was not changed; then the status is 409
 */
export async function showKey(
  deps: KeysPagesDeps,
  visit: Visit,
  { listed, step }: KeyWithStep,
  refusal?: string,
): Promise<ConsolePage> {
  const { clock } = deps.store;
  const record = keyRecord(listed);
  return {
    title: `A key of the ring ${record.ring}`,
    ...(refusal !== undefined && { status: 409 }),
    content: joined(
      refusal === undefined ? undefined : html`<p class="alert" role="alert">${refusal}</p>`,
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
          await changes(deps, visit, listed, refusal),
        ),
      ),
      listed.kind === 'signing'
        ? section('Public key', html`<pre>${shownJson({ ...listed.key.publicJwk })}</pre>`)
        : undefined,
      html`<p><a href="${KEYS_PATH}">All keys</a></p>`,
    ),
  };
}

function instantOf(seconds: number | undefined): Markup | undefined {
  return seconds === undefined ? undefined : at(seconds * 1_000);
}

/** Links to the changes that are possible in the console. */
async function changes(
  deps: KeysPagesDeps,
  { operator: { role } }: Visit,
  listed: ListedKey,
  refusal: string | undefined,
): Promise<Markup | undefined> {
  if (!includesRole(role, 'admin')) return undefined;
  const address = keyAddress(listed);
  const { state } = listed.key;
  const lockout = refusal ?? (await lockoutByRetirement(deps, listed));
  const retire =
    lockout === undefined
      ? link(
          `${address}/retire`,
          state === 'retired' ? 'Change when it is no longer published' : 'Retire the key',
        )
      : html`Until the secret of the client of the console is rotated, the key can be retired only at the command line.`;
  return html`<p>${joined(
    state === 'pending' ? html`${link(`${address}/activate`, 'Activate the key')} · ` : undefined,
    retire,
  )}</p>`;
}
