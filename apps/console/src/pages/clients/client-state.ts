import type { Client } from '@vestibule/clients';
import { html, type Markup } from '@vestibule/http/pages';
import type { EpochSeconds } from '@vestibule/protocol';
import { formatGrantedScopes, formatScope } from '@vestibule/scopes';
import { type Cell, instantAt, valueList } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';
import { ORIGIN_WORDS, statusWord } from './client-words.js';

const REGISTRAR_WORDS = {
  master_token: 'the master token, or an operator',
  initial_access_token: 'an initial access token',
} as const;

const MAX_SCOPE_LENGTH = 1_000;

/** Renders the state of a client: everything that is neither metadata nor a credential. */
export function clientState(client: Client, now: EpochSeconds): Markup {
  const { id, origin, registrar, issuedAt, updatedAt, lastUsedAt, expiresAt, version, federation } = client;
  const grantedScopes = formatScope(formatGrantedScopes(client.grantedScopes));
  return valueList({
    'Client ID': html`<code>${id}</code>`,
    Status: statusWord(client, now),
    Origin: ORIGIN_WORDS[origin],
    'Registered with': registrar && REGISTRAR_WORDS[registrar],
    'Rights of its own updates':
      grantedScopes === '' ? 'none' : html`<code>${shownText(grantedScopes, MAX_SCOPE_LENGTH)}</code>`,
    Issued: instantAt(issuedAt),
    Changed: instantAt(updatedAt),
    'Last used': lastUsedAt === undefined ? 'never' : instantAt(lastUsedAt),
    Expires: expiresAt === undefined ? 'never' : instantAt(expiresAt),
    Secret: secretState(client),
    'Registration access token': client.registrationToken === undefined ? 'none' : 'issued',
    Owner: client.ownership && html`<code>${client.ownership.owner}</code>`,
    'Secret for the files':
      client.ownership?.isSecretUndelivered === true ? 'not handed over yet' : undefined,
    'Trust anchor': federation?.trustAnchor,
    'Immediate superior': federation?.superior,
    'Trust chain': federation?.chainEntities?.join(' → '),
    'Trust chain expires': federation && instantAt(federation.chainExpiresAt),
    'Addressed by the entity': federation && (federation.isAddressed ? 'yes' : 'no'),
    Version: version,
  });
}

function secretState({ secret, secretHash }: Client): Cell {
  const held = secret ?? secretHash;
  if (held === undefined) return 'none';
  const kind = secret === undefined ? 'imported hash, not used here yet' : 'issued';
  return held.expiresAt === undefined
    ? `${kind}; does not expire`
    : html`${kind}; expires ${instantAt(held.expiresAt)}`;
}
