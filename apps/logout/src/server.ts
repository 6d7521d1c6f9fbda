import process from 'node:process';
import { runService } from '@vestibule/service-kit/process';
import { loadLogoutConfig } from './config.js';

await runService({
  name: 'logout',
  load: () => loadLogoutConfig(process.env),
  build: async (context) => (await import('./build.js')).build(context),
});
