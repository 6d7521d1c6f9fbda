import type { StandaloneConfig } from './config.js';

/** What a person reads when everything runs: where, and three commands to try. */
export function welcome(config: StandaloneConfig): string {
  const base = config.authorization.BASE_URL;
  const file = config.secrets.masterTokenFile;
  const master = file === undefined ? 'the configured one' : file;
  const token = file === undefined ? '$MASTER_TOKEN' : `$(cat ${shellQuote(file)})`;
  return `
Vestibule is ready at ${base}
Master token: ${master}
Data folder:  ${config.secrets.folder}

Try it: register a resource server, issue a token for it, introspect that token.

  CLIENT=$(curl -s ${base}/clients -H "Authorization: Bearer ${token}" -H 'Content-Type: application/json' -d '{"grant_types":["client_credentials"],"scope":"${base}/token/introspect"}'); echo "$CLIENT"

  TOKEN=$(curl -s ${base}/direct-authz -H "Authorization: Bearer ${token}" -H 'Content-Type: application/json' -d "{\\"client_id\\":$(echo "$CLIENT" | ${member('client_id')}),\\"sub\\":\\"alice\\",\\"scope\\":\\"read\\"}" | ${member('access_token')} | tr -d '"'); echo "$TOKEN"

  curl -s -u "$(echo "$CLIENT" | ${member('client_id')} | tr -d '"'):$(echo "$CLIENT" | ${member('client_secret')} | tr -d '"')" -d "token=$TOKEN" ${base}/token/introspect

Stop it with Ctrl-C.
`;
}

/** A filter that gives one member of a JSON object, as JSON. */
function member(name: string): string {
  return `node -p 'JSON.stringify(JSON.parse(fs.readFileSync(0)).${name})'`;
}

function shellQuote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
