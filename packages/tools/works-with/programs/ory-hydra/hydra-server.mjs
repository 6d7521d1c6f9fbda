import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import {
  ADMIN_PORT,
  APPLICATION_PORTS,
  adaptFiles,
  listens,
  serves,
  start,
  startGateway,
} from './joined-server.mjs';
import { reportVersionText } from './report.mjs';

const { BASE_URL, MASTER_TOKEN, PUBLIC_PORT, STACK_PORT } = process.env;

/** Starts Hydra, the login application, the program in front of the token endpoint, and the gateway of the page. */
export async function startHydra() {
  reportVersionText(/ory\/hydra\/v2 v(\S+)/.exec(readFileSync('go.mod', 'utf8'))[1]);
  // The environment of the programs of the page.
  Object.assign(process.env, {
    HYDRA_ADMIN: `http://127.0.0.1:${ADMIN_PORT}`,
    HYDRA_PUBLIC: `http://127.0.0.1:${PUBLIC_PORT}`,
    VESTIBULE_URL: `http://127.0.0.1:${STACK_PORT}`,
    MASTER_TOKEN,
  });
  adaptFiles('run', [
    'hydra.yml',
    'nginx.conf',
    'requests.mjs',
    'login.mjs',
    'tokens.mjs',
    'copy-clients.mjs',
  ]);
  start('./hydra', ['serve', 'all', '--dev', '--sqa-opt-out', '-c', 'run/hydra.yml']);
  for (const name of ['login.mjs', 'tokens.mjs']) start('node', [`run/${name}`]);
  for (const port of APPLICATION_PORTS) await listens(port);
  await serves(`http://127.0.0.1:${PUBLIC_PORT}/health/ready`);
  await importKeys();
  await startGateway(`${BASE_URL}/.well-known/openid-configuration`);
}

/**
 * Gives Hydra its keys. It also generates them on the first request, for clients that wait long enough; a slow machine
 * takes longer than its own timeout.
 */
async function importKeys() {
  const { hydra } = await import('./run/requests.mjs');
  for (const set of ['hydra.jwt.access-token', 'hydra.openid.id-token'])
    await hydra('PUT', `/admin/keys/${set}`, { keys: [newKey(`${set} 1`)] });
}

/** A private JWK. */
export function newKey(kid) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' };
}
