import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';

const clients = JSON.parse(readFileSync('clients.json', 'utf8'));
const digest = (text) => createHash('sha256').update(text).digest();

export const findClient = async (id) => clients.find((client) => client.client_id === id);

/** The client that sent a request, by client_secret_basic (RFC 6749 section 2.3.1). */
export async function authenticateClient(req) {
  const [id, secret] = basicCredentials(req);
  const client = await findClient(id);
  return client && timingSafeEqual(digest(client.client_secret), digest(secret)) ? client : undefined;
}

export function basicCredentials(req) {
  const [, encoded = ''] = /^Basic (.+)$/i.exec(req.get('authorization') ?? '') ?? [];
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return [id, secret].map((text) => new URLSearchParams(`v=${text}`).get('v'));
}
