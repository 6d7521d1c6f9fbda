import process from 'node:process';
import { runService } from '@vestibule/service/process';
import { IntrospectionSettings, loadIntrospectionConfig } from './config.js';

await runService({
  name: 'introspection',
  schemas: [IntrospectionSettings],
  environment: process.env,
  load: () => loadIntrospectionConfig(process.env),
  build: async (context) => (await import('./build.js')).build(context),
});
