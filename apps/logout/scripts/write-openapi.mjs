// Writes the API document that the routes make: pnpm --filter @vestibule/logout-service openapi
import { writeFile } from 'node:fs/promises';
import { deliveryApi, deliveryRouteGroup } from '../dist/index.js';

// The operations are described without being carried out: they need no store and no settings.
const masterToken = { matches: () => false };
const document = deliveryApi(deliveryRouteGroup({ masterToken }));
await writeFile(new URL('../openapi.json', import.meta.url), `${JSON.stringify(document, undefined, 2)}\n`);
