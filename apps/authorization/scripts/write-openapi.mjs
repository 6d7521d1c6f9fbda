// Writes the API document that the routes make: pnpm --filter @vestibule/authorization openapi
import { writeFile } from 'node:fs/promises';
import { directAuthorizationApi, directAuthorizationRouteGroup } from '../dist/index.js';

// The operations are described without being carried out: they need no store and no settings.
const document = directAuthorizationApi(directAuthorizationRouteGroup({}, {}));
await writeFile(new URL('../openapi.json', import.meta.url), `${JSON.stringify(document, undefined, 2)}\n`);
