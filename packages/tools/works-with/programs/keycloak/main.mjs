// Joins Keycloak as packages/guides/join-keycloak.md says.
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { walkGuide } from './guide-walk.mjs';

const [home] = readdirSync('.').filter((name) => /^keycloak-\d/.test(name));
const [, version] = /^keycloak-(.+)$/.exec(home);
await walkGuide('join-keycloak', { version, environment: { WALKED_KEYCLOAK: resolve(home) } });
