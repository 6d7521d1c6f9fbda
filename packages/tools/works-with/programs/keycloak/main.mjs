// Joins Keycloak as packages/guides/join-keycloak.md says, with the files of that page.
import process from 'node:process';
import { startGateway } from './joined-server.mjs';
import { startKeycloak } from './keycloak-server.mjs';
import { tryClients } from './try-clients.mjs';
import { tryEnds } from './try-ends.mjs';
import { tryKeys } from './try-keys.mjs';
import { tryTokens } from './try-tokens.mjs';

await startKeycloak();
await startGateway(`${process.env.BASE_URL}/.well-known/openid-configuration`);
await tryTokens();
await tryClients();
await tryKeys();
await tryEnds();
process.exit(0);
