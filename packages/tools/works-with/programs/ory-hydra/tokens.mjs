// In front of Hydra's token and revocation endpoints: tells Vestibule of opaque tokens before the client has them, and
// of revocations.
import { createServer } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { vestibule } from './requests.mjs';

const { HYDRA_PUBLIC = 'http://127.0.0.1:4444' } = process.env;
const HEADERS = ['authorization', 'content-type', 'x-forwarded-proto', 'x-forwarded-for'];

const server = createServer(async (request, response) => {
  try {
    const body = await text(request);
    const headers = HEADERS.flatMap((name) => (request.headers[name] ? [[name, request.headers[name]]] : []));
    const answer = await fetch(HYDRA_PUBLIC + request.url, { method: request.method, headers, body });
    const answered = await answer.text();
    if (answer.ok && request.url === '/oauth2/token') await tell(JSON.parse(answered));
    if (answer.ok && request.url === '/oauth2/revoke')
      await vestibule('POST', '/direct-authz/revoke', { token: new URLSearchParams(body).get('token') });
    const type = answer.headers.get('content-type') ?? 'application/json';
    response.writeHead(answer.status, { 'content-type': type, 'cache-control': 'no-store' }).end(answered);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    response.writeHead(500).end();
  }
});
server.listen(5556, '127.0.0.1');

async function tell({ access_token, refresh_token }) {
  const tokens = [];
  for (const [kind, token] of Object.entries({ access: access_token, refresh: refresh_token })) {
    if (token === undefined || token.split('.').length === 3) continue;
    const facts = await introspect(token);
    const { client_id, sub, scope, aud, iat, exp, ext } = facts;
    const audience = aud?.length > 0 && kind === 'access' ? { aud } : {};
    const sid = ext?.sid === undefined ? {} : { sid: ext.sid };
    tokens.push({ token, kind, client_id, sub, scope, iat, exp, ...audience, ...sid });
  }
  if (tokens.length > 0) await vestibule('POST', '/direct-authz/tokens', { tokens });
}

async function introspect(token) {
  const { HYDRA_ADMIN = 'http://127.0.0.1:4445' } = process.env;
  const body = new URLSearchParams({ token });
  const response = await fetch(`${HYDRA_ADMIN}/admin/oauth2/introspect`, { method: 'POST', body });
  return response.json();
}
