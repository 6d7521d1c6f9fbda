import process from 'node:process';
import { runService } from '@vestibule/service/process';
import { AuthorizationServiceSettings, loadAuthorizationConfig } from './config.js';

await runService({
  name: 'authorization',
  schemas: [AuthorizationServiceSettings],
  environment: process.env,
  load: () => loadAuthorizationConfig(process.env),
  build: async (context) => (await import('./build.js')).build(context),
});
