import process from 'node:process';
import { runService } from '@vestibule/service-kit/process';
import { loadFederationConfig } from './config.js';

await runService({
  name: 'federation',
  load: () => loadFederationConfig(process.env),
  build: async (context) => (await import('./build.js')).build(context),
});
