import { createLogger, createMetrics } from '@vestibule/http/observability';
import { createEntityKey } from '@vestibule/testkit/federation';
import { expect, it, onTestFinished } from 'vitest';
import { build } from '../src/build.js';
import { loadFederationConfig } from '../src/index.js';
import { openTestStore } from './support/test-federation.js';

it('warns at start if anyone can register entities at a public provider', async () => {
  const { url, keys } = await openTestStore();
  const { publicJwk } = await createEntityKey();
  const lines: string[] = [];
  for (const use of ['accepted', 'audience_required']) {
    const { server, dependencies } = build({
      settings: loadFederationConfig({
        BASE_URL: 'https://op.example',
        DATABASE_URL: url,
        ENCRYPTION_KEYS: keys,
        FEDERATION_ENABLED: 'true',
        FEDERATION_TRUST_ANCHORS: JSON.stringify({ 'https://a.example': { keys: [publicJwk] } }),
        FEDERATION_OLDER_DIALECT: use,
      }),
      logger: createLogger({
        level: 'warn',
        service: 'federation',
        destination: { write: (line: string) => void lines.push(line) },
      }),
      metrics: createMetrics('federation'),
      tracer: undefined,
      own: () => {},
      ownServer: () => {},
    });
    onTestFinished(async () => {
      await server.close();
      for (const { close } of dependencies) await close();
    });
  }
  const warnings = lines.filter((line) => line.includes('FEDERATION_OLDER_DIALECT'));
  expect(warnings).toEqual([expect.stringContaining('FEDERATION_OLDER_DIALECT=accepted')]);
});
