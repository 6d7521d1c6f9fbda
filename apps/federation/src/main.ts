import process from 'node:process';
import { runService } from '@vestibule/service/process';
import { FederationServiceSettings, loadFederationConfig } from './config.js';

await runService({
  name: 'federation',
  schemas: [FederationServiceSettings],
  environment: process.env,
  load: () => loadFederationConfig(process.env),
  build: async (context) => (await import('./build.js')).build(context),
});
