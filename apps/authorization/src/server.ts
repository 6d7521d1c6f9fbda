import process from 'node:process';
import { runService } from '@vestibule/service-kit/process';
import { loadAuthorizationConfig } from './config.js';

await runService({
  name: 'authorization',
  load: () => loadAuthorizationConfig(process.env),
  build: async (context) => (await import('./build.js')).build(context),
});
