import process from 'node:process';
import { runService } from '@vestibule/service-kit';
import { build } from './build.js';
import { loadStandaloneConfig } from './config.js';
import { welcome } from './welcome.js';

await runService({
  name: 'standalone',
  load: () => loadStandaloneConfig(process.env),
  build,
  onListening: (config) => process.stdout.write(welcome(config)),
});
