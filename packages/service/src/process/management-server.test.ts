import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { memoryLog } from '@vestibule/http/testing';
import { Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createManagementServer } from './management-server.js';
import { createReadiness } from './readiness.js';

const MOST_UNANSWERED_REQUESTS = 64;

describe('createManagementServer', () => {
  it('closes a connection with more than 64 unanswered requests, as every server does', async () => {
    const registry = new Registry();
    const { logger } = memoryLog();
    const management = createManagementServer(
      createReadiness({ dependencies: [], logger, registry }),
      registry,
    );
    await management.listen({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => management.close());
    const accepted = once(management.server, 'connection');
    const socket = connect((management.server.address() as AddressInfo).port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    const [connection] = await accepted;
    const closed = new Promise((resolve) => connection.once('close', resolve));
    socket.write('GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(MOST_UNANSWERED_REQUESTS + 1));
    await closed;
    expect(connection.destroyed).toBe(true);
  });
});
