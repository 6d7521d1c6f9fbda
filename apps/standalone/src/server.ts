import process from 'node:process';
import { runService } from '@vestibule/service-kit/process';
import { loadStandaloneConfig } from './config.js';
import { noteAddress } from './local-address.js';
import { welcome } from './welcome.js';

await runService({
  name: 'standalone',
  load: () => loadStandaloneConfig(process.env),
  build: async (context) => (await import('./build.js')).build(context),
  onListening: (config) => {
    noteAddress(config.secrets.folder, config.authorization.BASE_URL);
    process.stdout.write(welcome(config));
  },
});
