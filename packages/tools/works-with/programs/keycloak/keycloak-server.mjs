import { mkdirSync, readdirSync } from 'node:fs';
import process from 'node:process';
import { adaptFiles, serves, start } from './joined-server.mjs';
import { reportVersionText } from './report.mjs';

const { GATEWAY_PORT, KEYCLOAK_PORT, MASTER_TOKEN, STACK_PORT } = process.env;
const HOME = readdirSync('.').find((name) => /^keycloak-\d/.test(name));

/** The environment of the programs of the page. */
export const PAGE_ENVIRONMENT = {
  KEYCLOAK: `http://localhost:${KEYCLOAK_PORT}`,
  VESTIBULE_URL: `http://127.0.0.1:${STACK_PORT}`,
  MASTER_TOKEN,
};

/** Starts Keycloak with the realm of the page. */
export async function startKeycloak() {
  Object.assign(process.env, PAGE_ENVIRONMENT);
  reportVersionText(HOME.replace('keycloak-', ''));
  mkdirSync(`${HOME}/data/import`, { recursive: true });
  adaptFiles('run', [
    'nginx.conf',
    'requests.mjs',
    'add-audience.mjs',
    'copy-clients.mjs',
    'follow-keycloak.mjs',
  ]);
  adaptFiles(`${HOME}/data/import`, ['realm.json']);
  const options = [
    'start',
    '--optimized',
    '--import-realm',
    '--http-enabled=true',
    '--http-host=127.0.0.1',
    `--http-port=${KEYCLOAK_PORT}`,
    `--hostname=http://localhost:${GATEWAY_PORT}`,
  ];
  start('bash', [`${HOME}/bin/kc.sh`, ...options], {
    KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
    KC_BOOTSTRAP_ADMIN_PASSWORD: 'admin',
  });
  await serves(`http://localhost:${KEYCLOAK_PORT}/realms/shop/.well-known/openid-configuration`);
}
