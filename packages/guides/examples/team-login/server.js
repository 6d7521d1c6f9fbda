import { createHash, randomBytes } from 'node:crypto';
import express from 'express';
import { checkPassword } from './accounts.js';
import { authenticateClient, findClient } from './clients.js';
import { discovery, ISSUER, keySet } from './discovery.js';
import { accountPage, loginPage, problemPage } from './pages.js';
import { endSession, enterSession, findSession, openSession } from './sessions.js';
import { issueTokens, refreshTokens, revokeToken } from './tokens.js';

const PORT = 3000;
const CODE_MS = 60_000;
const codes = new Map();

const app = express();
app.disable('x-powered-by');
app.use(express.urlencoded({ extended: false }));
app.use((req, res, next) => {
  req.body ??= {};
  res.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  });
  next();
});

/** Browsers say which site a form comes from. */
const ownFormsOnly = (req, res, next) =>
  req.get('origin') === ISSUER
    ? next()
    : res.status(403).send(problemPage('This form is from another site.'));

app.get('/.well-known/openid-configuration', (req, res) => res.json(discovery));
app.get('/jwks', async (req, res) => res.json(await keySet()));

app.get('/authorize', async (req, res) => {
  const { client_id: clientId, redirect_uri: redirectUri, state, scope = '', nonce, prompt } = req.query;
  const client = typeof clientId === 'string' ? await findClient(clientId) : undefined;
  if (!client?.redirect_uris?.includes(redirectUri))
    return res.status(400).send(problemPage('This application, or its address, is not registered.'));
  const redirectWith = (parameters) => {
    const url = new URL(redirectUri);
    for (const [name, value] of Object.entries({ ...parameters, state, iss: ISSUER }))
      if (typeof value === 'string') url.searchParams.set(name, value);
    res.redirect(303, url.href);
  };
  const { response_type: type, code_challenge: challenge, code_challenge_method: method } = req.query;
  if (type !== 'code') return redirectWith({ error: 'unsupported_response_type' });
  if (method !== 'S256' || typeof challenge !== 'string') return redirectWith({ error: 'invalid_request' });
  const registered = (client.scope ?? 'openid').split(' ');
  const granted = String(scope)
    .split(' ')
    .filter((value) => registered.includes(value));
  if (!granted.includes('openid')) return redirectWith({ error: 'invalid_scope' });

  const session = findSession(req);
  const sid = session && (await enterSession(session, clientId));
  if (sid === undefined) {
    if (prompt === 'none') return redirectWith({ error: 'login_required' });
    return res.send(loginPage(client, req.originalUrl));
  }
  const code = randomBytes(32).toString('base64url');
  const { sub, authTime } = session;
  codes.set(code, { clientId, redirectUri, challenge, scope: granted.join(' '), nonce, sub, authTime, sid });
  setTimeout(() => codes.delete(code), CODE_MS).unref();
  redirectWith({ code });
});

app.post('/login', ownFormsOnly, async (req, res) => {
  const { name, password, next } = req.body;
  if (!String(next).startsWith('/authorize?'))
    return res.status(400).send(problemPage('Start at the application.'));
  if (!(await checkPassword(name, password))) return res.status(403).send(loginPage({}, next));
  if (findSession(req)) await endSession(req, res);
  await openSession(res, name);
  res.redirect(303, next);
});

app.get('/', (req, res) => res.send(accountPage(findSession(req)?.sub)));
app.post('/signout', ownFormsOnly, async (req, res) => {
  await endSession(req, res);
  res.redirect(303, '/');
});

app.post('/token', async (req, res) => {
  const client = await authenticateClient(req);
  if (client === undefined) return res.status(401).json({ error: 'invalid_client' });
  const { grant_type: type, code, code_verifier: verifier, redirect_uri: redirectUri } = req.body;
  if (!client.grant_types.includes(type)) return res.status(400).json({ error: 'unauthorized_client' });
  let tokens;
  if (type === 'refresh_token') tokens = await refreshTokens(client.client_id, req.body.refresh_token);
  if (type === 'authorization_code') {
    const grant = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256').update(String(verifier)).digest('base64url');
    const isRight = grant?.clientId === client.client_id && grant.redirectUri === redirectUri;
    if (isRight && grant.challenge === challenge) tokens = await issueTokens(grant);
  }
  return tokens ? res.json(tokens) : res.status(400).json({ error: 'invalid_grant' });
});

app.post('/revoke', async (req, res) => {
  const client = await authenticateClient(req);
  if (client === undefined) return res.status(401).json({ error: 'invalid_client' });
  await revokeToken(client.client_id, req.body.token);
  res.sendStatus(200);
});

app.use((error, req, res, next) => {
  console.error(error.message);
  res.status(503).json({ error: 'temporarily_unavailable' });
});
app.listen(PORT, '127.0.0.1', () => console.log(`${ISSUER} listens on port ${PORT}`));
