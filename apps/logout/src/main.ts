import process from 'node:process';
import { runService } from '@vestibule/service/process';
import { LogoutSettings, loadLogoutConfig } from './config.js';

await runService({
  name: 'logout',
  schemas: [LogoutSettings],
  environment: process.env,
  load: () => loadLogoutConfig(process.env),
  build: async (context) => (await import('./build.js')).build(context),
});
