import { keyIdentifier, keyRecord, RING_NAMES, type Ring } from '@vestibule/crypto/key-rings';
import { html, type Markup } from '@vestibule/http/pages';
import { Type } from 'typebox';
import { type ConsoleRoute, consolePage } from '../../frame/console-route.js';
import { includesRole } from '../../frame/operator.js';
import { type Column, dataTable, joined, link, section, stateWord } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { everyKey, type KeyWithStep, keyAddress, withSteps } from './key-lookup.js';
import { ageText, at, RINGS, STATE_TONES, stepText } from './key-words.js';
import { KEYS_PATH, type KeysPagesDeps } from './keys-deps.js';

/** The list of all keys, ring by ring. */
export function keysPage(deps: KeysPagesDeps): ConsoleRoute {
  return consolePage({
    path: KEYS_PATH,
    query: Type.Object({}),
    notices: {
      created: 'The key is created. Every process loads it before it can be used.',
      activated: 'The key is active.',
      retired: 'The key is retired.',
    },
    show: async (visit) => {
      const keys = withSteps(deps, await everyKey(deps));
      return {
        title: 'Keys',
        content: joined(
          unopened(deps),
          rewrapping(deps, keys),
          ...RING_NAMES.map((ring) => ringSection(deps, visit, ring, keys)),
        ),
      };
    },
  });
}

function ringSection(deps: KeysPagesDeps, visit: Visit, ring: Ring, keys: readonly KeyWithStep[]): Markup {
  const ofRing = keys.filter(({ listed }) => keyRecord(listed).ring === ring);
  const create = includesRole(visit.operator.role, 'admin')
    ? html`<p>${link(`${KEYS_PATH}/new?ring=${ring}`, 'Create a key')}</p>`
    : undefined;
  return section(
    `Ring ${ring}`,
    joined(
      html`<p class="hint">${RINGS[ring]}</p>`,
      dataTable(`Keys of the ring ${ring}`, columns(deps), ofRing, 'There are no keys.'),
      create,
    ),
  );
}

function columns({ store: { clock } }: KeysPagesDeps): readonly Column<KeyWithStep>[] {
  return [
    {
      title: 'Key',
      cell: ({ listed }) => html`<a href="${keyAddress(listed)}"><code>${keyIdentifier(listed)}</code></a>`,
    },
    { title: 'Algorithm', cell: ({ listed }) => keyRecord(listed).algorithm },
    {
      title: 'State',
      cell: ({ listed }) => stateWord(listed.key.state, STATE_TONES[listed.key.state]),
    },
    { title: 'Created', cell: ({ listed }) => at(keyRecord(listed).created_at * 1_000) },
    { title: 'Age', cell: ({ listed }) => ageText(keyRecord(listed), clock) },
    { title: 'Next', cell: ({ step }) => stepText(step, clock) },
  ];
}

function unopened({ store }: KeysPagesDeps): Markup | undefined {
  const keys = store.unopenedDataKeys();
  if (keys.length === 0) return undefined;
  return html`<p class="alert" role="alert">ENCRYPTION_KEYS cannot decrypt ${String(keys.length)} data keys (${keys.map(({ id }) => id).join(', ')}). Do not retire a digest key before they can.</p>`;
}

/** Retired keys are needed as long as something is encrypted under them. */
function rewrapping({ keyEncryptionKeys }: KeysPagesDeps, keys: readonly KeyWithStep[]): Markup | undefined {
  const isDue = keys.some(
    ({ listed: { kind, key } }) => kind === 'data' && key.keyEncryptionKeyId !== keyEncryptionKeys.activeId,
  );
  return isDue
    ? html`<p class="alert" role="status">Some data keys are wrapped with an earlier key of ENCRYPTION_KEYS. Next: vestibule keys rewrap</p>`
    : undefined;
}
