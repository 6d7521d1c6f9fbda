// The login and consent application of Hydra, and its token hook.
import { createServer } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { hydra, vestibule } from './requests.mjs';

const ACCOUNTS = { ada: 'lovelace', grace: 'hopper' };
const REQUESTS = '/admin/oauth2/auth/requests';

const routes = {
  'GET /login': async ({ query }) => {
    const challenge = query.get('login_challenge');
    const { skip, subject, client, session_id, request_url } = await hydra(
      'GET',
      `${REQUESTS}/login?login_challenge=${encodeURIComponent(challenge)}`,
    );
    if (!skip) return page(challenge);
    if (await join(subject, session_id, client.client_id)) return accept('login', challenge, { subject });
    // The user has logged out at Vestibule: Hydra's session ends too, and the request starts again.
    await hydra('DELETE', `/admin/oauth2/auth/sessions/login?sid=${session_id}`);
    return { location: request_url };
  },

  'POST /login': async ({ form }) => {
    const challenge = form.get('login_challenge');
    const name = form.get('name');
    if (ACCOUNTS[name] === undefined || ACCOUNTS[name] !== form.get('password')) return page(challenge);
    const { client, session_id } = await hydra(
      'GET',
      `${REQUESTS}/login?login_challenge=${encodeURIComponent(challenge)}`,
    );
    const { cookie } = await vestibule('POST', '/direct-authz/sessions', {
      sub: name,
      sid: session_id,
      client_ids: [client.client_id],
    });
    const accepted = await accept('login', challenge, { subject: name, remember: true });
    return { ...accepted, cookie: `${cookie.name}=${cookie.value}; Path=/; HttpOnly; SameSite=Lax` };
  },

  'GET /consent': async ({ query }) => {
    const challenge = query.get('consent_challenge');
    const { requested_scope, requested_access_token_audience, login_session_id } = await hydra(
      'GET',
      `${REQUESTS}/consent?consent_challenge=${encodeURIComponent(challenge)}`,
    );
    return accept('consent', challenge, {
      grant_scope: requested_scope,
      grant_access_token_audience: requested_access_token_audience,
      session: { access_token: { sid: login_session_id } },
    });
  },

  // Before each token: marks access tokens, and refuses to renew those of a session that has ended.
  'POST /token-hook': async ({ body }) => {
    const { session, request } = JSON.parse(body);
    const { sid } = session.extra ?? {};
    const { subject } = session.id_token;
    const isLive = sid === undefined || (await join(subject, sid, request.client_id));
    if (!isLive) return { status: 403 };
    const access_token = { ...session.extra, typ: 'Bearer' };
    return { json: { session: { access_token, id_token: session.id_token.id_token_claims.ext } } };
  },
};

/** Adds a client to a session; false if the session has ended. */
async function join(sub, sid, client_id) {
  try {
    await vestibule('POST', '/direct-authz', { client_id, sub, sid, scope: 'openid', expires_in: 1 });
    return true;
  } catch (error) {
    if (error.status === 400) return false;
    throw error;
  }
}

async function accept(kind, challenge, body) {
  const path = `${REQUESTS}/${kind}/accept?${kind}_challenge=${encodeURIComponent(challenge)}`;
  const { redirect_to } = await hydra('PUT', path, body);
  return { location: redirect_to };
}

const escaped = (value) => value.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const page = (challenge) => ({
  html: `<!doctype html><title>Sign in</title>
<form method="post" action="/login">
<input type="hidden" name="login_challenge" value="${escaped(challenge)}">
<input name="name" placeholder="Name"><input name="password" type="password" placeholder="Password">
<button>Sign in</button></form>`,
});

const server = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const route = routes[`${request.method} ${url.pathname}`];
  try {
    if (route === undefined) return response.writeHead(404).end();
    const body = await text(request);
    const sent = { query: url.searchParams, form: new URLSearchParams(body), body };
    const { location, cookie, html, json, status } = await route(sent);
    if (cookie !== undefined) response.setHeader('set-cookie', cookie);
    if (location !== undefined) return response.writeHead(303, { location }).end();
    if (html !== undefined) return response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    return response
      .writeHead(status ?? 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(json));
  } catch (error) {
    process.stderr.write(`${error.stack}\n`);
    return response.writeHead(500).end();
  }
});
server.listen(5555, '127.0.0.1');
