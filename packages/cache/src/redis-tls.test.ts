import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@vestibule/local-services';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connectRedis, type RedisEvent } from './redis-connection.js';
import { connectedRedis } from './testing/connected-redis.js';
import { startRedisProcess, TEST_PASSWORD } from './testing/redis-process.js';

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

it.skipIf(!hasOpenssl)(
  'connects over TLS only to a server whose certificate it trusts (needs openssl)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vestibule-cache-tls-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const subject = ['-subj', '/CN=redis test', '-addext', 'subjectAltName=DNS:localhost'];
    const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...made, ...subject, '-keyout', key, '-out', certificate], {
      stdio: 'ignore',
    });
    const tlsPort = await freePort();
    const server = await startRedisProcess({
      configuration: [
        `tls-port ${tlsPort}`,
        `tls-cert-file ${certificate}`,
        `tls-key-file ${key}`,
        'tls-auth-clients no',
      ],
    });
    onTestFinished(() => server.stop());
    const ca = readFileSync(certificate, 'utf8');

    const { redis } = await connectedRedis({ url: `rediss://:${TEST_PASSWORD}@localhost:${tlsPort}`, ca });
    expect(await redis.run((commands) => commands.incrby('vestibule:1:rate:x', 2))).toBe(2);

    const refusals = [
      { url: `rediss://:${TEST_PASSWORD}@localhost:${tlsPort}` },
      { url: `rediss://:${TEST_PASSWORD}@127.0.0.1:${tlsPort}`, ca },
    ];
    for (const options of refusals) {
      const events: RedisEvent[] = [];
      const refused = connectRedis({ ...options, onEvent: (event) => void events.push(event) });
      onTestFinished(() => refused.close());
      await vi.waitUntil(() => events.length > 0, { timeout: 60_000, interval: 10 });
      expect(events[0]).toMatchObject({
        event: 'fault',
        reason: expect.stringMatching(/SELF_SIGNED|ALTNAME/),
      });
      expect(await refused.ping()).toBe(false);
    }
  },
);
