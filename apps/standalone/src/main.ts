import process from 'node:process';
import { runService } from '@vestibule/service/process';
import { loadStandaloneConfig, STANDALONE_SCHEMAS } from './config.js';
import type { ConsoleState } from './console.js';
import { recordAddress } from './local-address.js';
import { welcome } from './welcome.js';

let consoleState: ConsoleState = 'off';

await runService({
  name: 'standalone',
  schemas: STANDALONE_SCHEMAS,
  environment: process.env,
  load: () => loadStandaloneConfig(process.env),
  build: async (context) =>
    (await import('./build.js')).build(context, (state) => {
      consoleState = state;
    }),
  onListening: (config) => {
    recordAddress(config.secrets.folder, config.authorization.BASE_URL);
    process.stdout.write(welcome(config, consoleState));
  },
});
