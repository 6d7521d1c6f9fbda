import { join } from 'node:path';
import type { StandaloneConfig } from './config.js';
import type { ConsoleState } from './console.js';

/** The text printed when everything runs: the address, and commands to try, none wider than a terminal. */
export function welcome(config: StandaloneConfig, state: ConsoleState): string {
  const line = consoleLine(config, state);
  return config.authorization.OPENID_PROVIDER_ENABLED
    ? ownProvider(config, line)
    : otherProvider(config, line);
}

/** The line about the console; empty if there is none. */
function consoleLine({ console: config }: StandaloneConfig, state: ConsoleState): string {
  if (config === undefined || state === 'off') return '';
  const { CONSOLE_URL: address, PORT, isDemonstration } = config;
  if (state === 'port_taken')
    return `Console:      off: port ${PORT} is in use (CONSOLE_PORT sets another)\n`;
  if (!isDemonstration) return `Console:      ${address}\n`;
  return `Console:      ${address} (admin: alice, password alice; viewer: bob)\n`;
}

/** Which addresses and secrets an OpenID provider in another process needs, over HTTP or with `joinProvider`. */
function otherProvider(
  { HOST, PORT, DATABASE_URL, authorization, secrets }: StandaloneConfig,
  console: string,
): string {
  const { folder, keysFile, masterTokenFile } = secrets;
  const database =
    DATABASE_URL === undefined ? fileContent(join(folder, 'database-url')) : 'the configured one';
  return `
Vestibule is ready at http://${HOST}:${PORT}, for the issuer ${authorization.BASE_URL}

Another server is the OpenID provider. If it calls over HTTP, it needs this address and the master token.
For joinProvider in its process:

  DATABASE_URL:    ${database}
  ENCRYPTION_KEYS: ${keysFile === undefined ? 'the configured ones' : fileContent(keysFile)}

${console}Master token: ${masterTokenFile ?? 'the configured one'}
Data folder:  ${folder}

Stop it with Ctrl-C.
`;
}

function ownProvider(config: StandaloneConfig, console: string): string {
  const base = config.authorization.BASE_URL;
  const file = config.secrets.masterTokenFile;
  const master = file === undefined ? '$MASTER_TOKEN' : fileContent(file);
  return `
Vestibule is ready at ${base}

APIs to try:  ${base}/.well-known/openapi/registration
              (or introspection, logout, federation, authorization)
${console}Master token: ${file ?? 'the configured one'}
Data folder:  ${config.secrets.folder}

Try it: register a resource server, issue a token for it, introspect that token.

  B=${base}; M="${master}"
  get() { node -p "JSON.parse(fs.readFileSync(0, 'utf8') || '{}').$1"; }
  post() { curl -s -H "Authorization: Bearer $M" -H 'Content-Type: application/json' "$@"; }
  N='{"grant_types":["client_credentials"],"scope":"'$B/token/introspect'"}'

  C=$(post $B/clients -d "$N"); echo "$C"; ID=$(echo "$C" | get client_id)
  A='{"client_id":"'$ID'","sub":"alice","scope":"read"}'
  T=$(post $B/direct-authz -d "$A" | get access_token)
  curl -s -u $ID:$(echo "$C" | get client_secret) -d token=$T $B/token/introspect

Stop it with Ctrl-C.
`;
}

function fileContent(file: string): string {
  return `$(cat ${shellQuote(file)})`;
}

function shellQuote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
