import process from 'node:process';
import { runService } from '@vestibule/service/process';
import { ForwardAuthSettings, loadForwardAuthConfig } from './config.js';

await runService({
  name: 'forward-auth',
  schemas: [ForwardAuthSettings],
  environment: process.env,
  load: () => loadForwardAuthConfig(process.env),
  build: async (context) => (await import('./build.js')).build(context),
});
