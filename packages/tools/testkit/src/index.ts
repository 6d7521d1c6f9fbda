export { aClient, aClientId, anAccessToken, type ClientDeviations, TEST_NOW } from './builders.js';
export { type JwksServer, signedBy, startJwksServer } from './jwks-server.js';
export { type KeyFixture, TEST_KEYS } from './key-fixtures.js';
export { noteResponse, noteSecret } from './leak-scan/note-secrets.js';
export { readAsOldScript, scriptsIn } from './page-scripts.js';
export { readmeTable, tableRows } from './readme-tables.js';
export { type RunningTime, runningTime } from './running-time.js';
export { suspendMachine } from './suspend-machine.js';
export {
  createTestInstallation,
  type InstalledKeyPairs,
  type TestInstallation,
} from './test-installation.js';
export { createTestDatabase, type TestDatabase, testRedisUrl } from './test-services.js';
