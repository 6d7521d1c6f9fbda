// Writes the API document that the routes make: pnpm --filter @vestibule/introspection openapi
import { writeFile } from 'node:fs/promises';
import { introspectionApi, introspectionRouteGroup } from '../dist/index.js';

// The operation is described without being carried out: it needs no store.
const document = introspectionApi(introspectionRouteGroup({ clock: { nowMs: () => 0 } }));
await writeFile(new URL('../openapi.json', import.meta.url), `${JSON.stringify(document, undefined, 2)}\n`);
