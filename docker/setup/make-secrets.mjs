// Generates the missing secrets of the stack, each in a file that only its user can read:
//   node make-secrets.mjs FOLDER POSTGRES_HOST:PORT REDIS_HOST:PORT BASE_URL API_URL
// BASE_URL is the issuer. API_URL is the example API behind forward-auth.
// FOLDER/operator holds the generated secrets. Each of the other folders is for one user and is rewritten on every run.
import { createHash, randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const [folder, postgres, redis, issuer, api] = process.argv.slice(2);

/** User ids of the images. They own their files if this process runs as root. */
const READERS = { services: 10001, 'forward-auth': 10001, postgres: 70, redis: 999, grafana: 472 };

const databasePassword = keep('postgres-password', () => randomBytes(32).toString('hex'));
const redisPassword = keep('redis-password', () => randomBytes(32).toString('hex'));
const encryptionKey = keep('encryption-keys', () => randomBytes(32).toString('base64url'));
const masterToken = keep('master-token', () => randomBytes(32).toString('hex'));
const clientSecret = keep('forward-auth-client-secret', () => randomBytes(32).toString('hex'));
const dashboardPassword = keep('grafana-password', () => randomBytes(16).toString('hex'));

hand('services', {
  'database-url': `postgresql://vestibule:${databasePassword}@${postgres}/vestibule`,
  'redis-url': `redis://vestibule:${redisPassword}@${redis}`,
  'encryption-keys': encryptionKey,
  'master-token-sha256': sha256(masterToken),
  // The client of forward-auth, which may introspect the tokens for the API.
  'forward-auth-client.json': JSON.stringify({
    client_id: 'forward-auth',
    client_secret: clientSecret,
    client_name: 'Forward authentication',
    grant_types: ['client_credentials'],
    response_types: [],
    scope: `${issuer}/token/introspect`,
    resource_identifiers: [api],
  }),
});
hand('forward-auth', { 'client-secret': clientSecret });
hand('postgres', { 'postgres-password': databasePassword });
// Unauthenticated connections may only use PING.
hand('redis', {
  'users.acl': [
    'user default on nopass -@all +ping',
    `user vestibule on #${sha256(redisPassword)} ~* &* +@all -@admin -@dangerous +info`,
  ].join('\n'),
});
hand('grafana', { 'grafana-password': dashboardPassword });

/** Returns a secret, and generates it on the first run. */
function keep(name, make) {
  const file = join(folder, 'operator', name);
  mkdirSync(join(folder, 'operator'), { recursive: true, mode: 0o700 });
  if (!existsSync(file)) put(file, make());
  return readFileSync(file, 'utf8').trim();
}

/** Writes the files of one user. */
function hand(reader, texts) {
  mkdirSync(join(folder, reader), { recursive: true });
  for (const [name, text] of Object.entries(texts)) put(join(folder, reader, name), text, READERS[reader]);
}

/** Writes a file atomically. */
function put(file, text, owner) {
  const draft = `${file}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${text}\n`, { mode: 0o400, flag: 'wx' });
  if (owner !== undefined && process.getuid() === 0) chownSync(draft, owner, owner);
  renameSync(draft, file);
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}
