// Writes the API document that the routes make: pnpm --filter @vestibule/introspection openapi
import { writeFile } from 'node:fs/promises';
import { introspectionApi, introspectionFamily } from '../dist/index.js';

// The operation is described without being carried out: it needs no store.
const document = introspectionApi(introspectionFamily({ clock: { nowMs: () => 0 } }));
await writeFile(new URL('../openapi.json', import.meta.url), `${JSON.stringify(document, undefined, 2)}\n`);
