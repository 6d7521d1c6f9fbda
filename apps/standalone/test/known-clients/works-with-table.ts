import type { KnownClient, Source } from './known-client.js';
import type { KnownClientResult } from './run-known-client.js';

const HEADS = [
  'client',
  'registered as',
  'authentication',
  'logs in with',
  'refresh',
  'what to set',
  'published',
];

const EVIDENCE: Readonly<Record<Source['kind'], string>> = {
  code: 'in its source',
  report: 'reported',
  unverified: 'callback published, rest assumed',
};

/** The table of the guide, with one row for each client that registered and logged in. */
export function worksWithTable(results: ReadonlyMap<KnownClient, KnownClientResult>): string {
  const rows = [...results]
    .sort(([one], [other]) => one.name.localeCompare(other.name, 'en'))
    .map(([client, result]) => rowOf(client, result));
  return [`| ${HEADS.join(' | ')} |`, `|${'---|'.repeat(HEADS.length)}`, ...rows, ''].join('\n');
}

function rowOf(client: KnownClient, { registered, logins }: KnownClientResult): string {
  const method = String(registered['token_endpoint_auth_method']);
  const cells = [
    client.name,
    String(registered['application_type']),
    `\`${method}\``,
    [...new Set(logins.map(({ redirectUri }) => placeOf(redirectUri)))].join(', '),
    logins.every(({ refreshedSubject }) => refreshedSubject !== undefined) ? 'yes' : 'not registered',
    isWhole(client, registered) ? '' : '`OPEN_REGISTRATION_EXCESS=omit`',
    `[${EVIDENCE[client.source.kind]}](${client.source.url})`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The kind of a redirect URI, as a reader recognizes it. */
function placeOf(redirectUri: string): string {
  const { protocol, hostname } = new URL(redirectUri);
  if (protocol === 'https:') return 'https';
  return protocol === 'http:' ? `\`${hostname}\` (any port)` : `\`${protocol}\``;
}

/** Whether everything that the client asked for was registered. */
function isWhole({ registration }: KnownClient, registered: KnownClientResult['registered']): boolean {
  const asked = registration['scope'] === '' ? undefined : registration['scope'];
  return (
    JSON.stringify(registered['grant_types']) === JSON.stringify(registration['grant_types']) &&
    (asked === undefined || registered['scope'] === asked)
  );
}
