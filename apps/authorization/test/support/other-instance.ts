import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import type { Tracer } from '@vestibule/protocol';
import { expect, onTestFinished } from 'vitest';
import { buildApp, composeAuthorization } from '../../src/index.js';
import { openTestStore, type TestApp } from './build-test-app.js';
import { authorizationAddress, aVerifier } from './code-flow.js';
import type { createDocumentFixture } from './document-fixture.js';

/** Starts another instance over the same database, with connections of its own, until the test ends. */
export async function anotherInstance({ config, clock }: Pick<TestApp, 'config' | 'clock'>, tracer?: Tracer) {
  const keyEncryptionKeys = config.ENCRYPTION_KEYS ?? parseKeyEncryptionKeys('');
  const store = await openTestStore(config, { clock, keyEncryptionKeys, tracer });
  const deps = composeAuthorization(config, store, { clock });
  const app = buildApp(deps, { logger: false });
  onTestFinished(() => app.close());
  return { app, deps };
}

/** A request waits longer than that for another instance before it is told to come back, as on a busy machine. */
export const LEAST_WAIT_MS = 1_500;

/**
 * Sends parallel authorization requests of a new document to five instances. One that is told to come back, because
 * another instance took long to fetch the document on a busy machine, is sent again. @returns the statuses
 */
export async function authorizeAtFiveInstances(
  fixture: Awaited<ReturnType<typeof createDocumentFixture>>,
  requests: number,
): Promise<readonly (number | undefined)[]> {
  const others = await Promise.all([1, 2, 3, 4].map(() => anotherInstance(fixture)));
  const client = { client_id: fixture.host.publish('/client.json') };
  const address = authorizationAddress(client, aVerifier().challenge);
  const apps = [fixture, ...others].map(({ app }) => app);
  const begunMs = performance.now();
  const status = async (index: number) => {
    for (;;) {
      const response = await apps[index % apps.length]?.inject(address);
      if (response?.statusCode !== 429) return response?.statusCode;
      expect(performance.now() - begunMs).toBeGreaterThan(LEAST_WAIT_MS);
    }
  };
  return Promise.all(Array.from({ length: requests }, (_, index) => status(index)));
}
