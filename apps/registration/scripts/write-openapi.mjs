// Writes the API document that the routes make: pnpm --filter @vestibule/registration openapi
import { writeFile } from 'node:fs/promises';
import { registrationApi, registrationRouteGroup } from '../dist/index.js';

// The operations are described without being carried out: they need no store and no settings.
const document = registrationApi(registrationRouteGroup({}));
await writeFile(new URL('../openapi.json', import.meta.url), `${JSON.stringify(document, undefined, 2)}\n`);
