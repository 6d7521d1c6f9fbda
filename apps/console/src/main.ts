import process from 'node:process';
import { runService } from '@vestibule/service/process';
import { CONSOLE_SCHEMAS, loadConsoleConfig } from './config.js';

await runService({
  name: 'console',
  schemas: CONSOLE_SCHEMAS,
  environment: process.env,
  load: () => loadConsoleConfig(process.env),
  build: async (context) => (await import('./build.js')).build(context),
});
