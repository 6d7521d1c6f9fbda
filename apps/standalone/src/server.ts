import process from 'node:process';
import { runService } from '@vestibule/service/process';
import { loadStandaloneConfig, STANDALONE_SCHEMAS } from './config.js';
import { recordAddress } from './local-address.js';
import { welcome } from './welcome.js';

await runService({
  name: 'standalone',
  schemas: STANDALONE_SCHEMAS,
  environment: process.env,
  load: () => loadStandaloneConfig(process.env),
  build: async (context) => (await import('./build.js')).build(context),
  onListening: (config) => {
    recordAddress(config.secrets.folder, config.authorization.BASE_URL);
    process.stdout.write(welcome(config));
  },
});
