import process from 'node:process';
import { runService } from '@vestibule/service-kit/process';
import { loadRegistrationConfig } from './config.js';

await runService({
  name: 'registration',
  load: () => loadRegistrationConfig(process.env),
  build: async (context) => (await import('./build.js')).build(context),
});
