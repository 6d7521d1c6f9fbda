import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import jwt from 'jsonwebtoken';
import { ISSUER } from './discovery.js';
import { keyId, privateKey } from './keys.js';

/** Stands for your table of tokens. */
const FILE = 'tokens.json';
const table = new Map(existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : []);
const save = () => writeFileSync(FILE, JSON.stringify([...table]), { mode: 0o600 });
const now = () => Math.floor(Date.now() / 1000);

function newToken(kind, seconds, { clientId, sub, scope, sid }) {
  const token = randomBytes(32).toString('base64url');
  const row = { token, kind, client_id: clientId, sub, scope, sid, iat: now(), exp: now() + seconds };
  table.set(token, row);
  return row;
}

export async function issueTokens(grant) {
  const rows = [newToken('access', 600, grant), newToken('refresh', 30 * 86_400, grant)];
  save();
  const [{ token: accessToken }, { token: refreshToken }] = rows;
  return response(grant, accessToken, refreshToken);
}

function response(grant, accessToken, refreshToken) {
  const claims = { nonce: grant.nonce, auth_time: grant.authTime, sid: grant.sid };
  const idToken = jwt.sign(claims, privateKey, {
    algorithm: 'RS256',
    keyid: keyId,
    issuer: ISSUER,
    audience: grant.clientId,
    subject: grant.sub,
    expiresIn: 600,
  });
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: 600,
    scope: grant.scope,
    refresh_token: refreshToken,
    id_token: idToken,
  };
}

export async function refreshTokens(clientId, token) {
  const row = table.get(token);
  if (row?.kind !== 'refresh' || row.client_id !== clientId || row.exp <= now()) return undefined;
  table.delete(token);
  return issueTokens({ clientId, sub: row.sub, scope: row.scope, sid: row.sid });
}

export async function revokeToken(clientId, token) {
  if (table.get(token)?.client_id !== clientId) return;
  table.delete(token);
  save();
}
