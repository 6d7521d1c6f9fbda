// Writes the API document that the routes make: pnpm --filter @vestibule/forward-auth-service openapi
import { writeFile } from 'node:fs/promises';
import { forwardAuthApi, forwardAuthRouteGroup } from '../dist/index.js';

// The operations are described without being carried out: they need no settings.
const document = forwardAuthApi(forwardAuthRouteGroup({}));
await writeFile(new URL('../openapi.json', import.meta.url), `${JSON.stringify(document, undefined, 2)}\n`);
