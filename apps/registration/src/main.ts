import process from 'node:process';
import { runService } from '@vestibule/service/process';
import { loadRegistrationConfig, RegistrationServiceSettings } from './config.js';

await runService({
  name: 'registration',
  schemas: [RegistrationServiceSettings],
  environment: process.env,
  load: () => loadRegistrationConfig(process.env),
  build: async (context) => (await import('./build.js')).build(context),
});
