import { join } from 'node:path';
import type { StandaloneConfig } from './config.js';

/** The text printed when everything runs: the address, and commands to try, none wider than a terminal. */
export function welcome(config: StandaloneConfig): string {
  return config.authorization.OPENID_PROVIDER_ENABLED ? ownProvider(config) : otherProvider(config);
}

/** Which addresses and secrets an OpenID provider in another process needs, over HTTP or with `joinProvider`. */
function otherProvider({ HOST, PORT, DATABASE_URL, authorization, secrets }: StandaloneConfig): string {
  const { folder, keysFile, masterTokenFile } = secrets;
  const database =
    DATABASE_URL === undefined ? fileContent(join(folder, 'database-url')) : 'the configured one';
  return `
Vestibule is ready at http://${HOST}:${PORT}, for the issuer ${authorization.BASE_URL}

Another server is the OpenID provider. If it calls over HTTP, it needs this address and the master token.
For joinProvider in its process:

  DATABASE_URL:    ${database}
  ENCRYPTION_KEYS: ${keysFile === undefined ? 'the configured ones' : fileContent(keysFile)}

Master token: ${masterTokenFile ?? 'the configured one'}
Data folder:  ${folder}

Stop it with Ctrl-C.
`;
}

function ownProvider(config: StandaloneConfig): string {
  const base = config.authorization.BASE_URL;
  const file = config.secrets.masterTokenFile;
  const master = file === undefined ? '$MASTER_TOKEN' : fileContent(file);
  return `
Vestibule is ready at ${base}

APIs to try:  ${base}/.well-known/openapi/registration
              (or introspection, logout, federation, authorization)
Master token: ${file ?? 'the configured one'}
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
