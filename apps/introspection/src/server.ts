import process from 'node:process';
import { runService } from '@vestibule/service-kit/process';
import { loadIntrospectionConfig } from './config.js';

await runService({
  name: 'introspection',
  load: () => loadIntrospectionConfig(process.env),
  build: async (context) => (await import('./build.js')).build(context),
});
