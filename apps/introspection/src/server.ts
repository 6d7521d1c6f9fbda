import process from 'node:process';
import { openDatabase } from '@vestibule/database';
import { systemClock } from '@vestibule/protocol';
import { runService } from '@vestibule/service-kit';
import { buildApp } from './app.js';
import { loadIntrospectionConfig } from './config.js';
import { openKeys } from './open-keys.js';

await runService({
  name: 'introspection',
  load: () => loadIntrospectionConfig(process.env),
  build: async ({ settings, logger, metrics }) => {
    const database = openDatabase({
      url: settings.DATABASE_URL.reveal(),
      poolSize: settings.DATABASE_POOL_SIZE,
      applicationName: 'vestibule-introspection',
      onConnectionError: (error) => logger.warn({ dependency: 'postgres', error }, 'a connection broke'),
    });
    const keys = await openKeys({ database, encryptionKeys: settings.ENCRYPTION_KEYS, logger });
    const server = buildApp(
      {
        clock: systemClock,
        issuer: settings.BASE_URL,
        digester: keys.digester,
        keys: keys.keyRing,
        clients: database.clients,
        accessTokens: database.accessTokens,
        revocations: database.revocations,
        pruneAudience: settings.INTROSPECTION_PRUNE_AUDIENCE,
        secretOverlapSeconds: settings.CLIENT_SECRET_OVERLAP_SECONDS,
      },
      { logger, metrics, trustedProxies: settings.TRUSTED_PROXIES },
    );
    const postgres = { name: 'postgres', check: database.ping, close: database.close };
    return { server, dependencies: [postgres, keys] };
  },
});
