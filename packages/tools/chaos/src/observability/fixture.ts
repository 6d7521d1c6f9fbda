import type { Closers } from '@vestibule/local-services';
import { openGateway } from '../fleet/gateway.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Fixture } from './metric-move.js';
import { notifiedServer } from './notified-server.js';
import { type OtlpReceiver, otlpReceiver } from './otlp-receiver.js';
import { startWatchedServices } from './watched-services.js';

/** The processes of every service, with observability. */
export interface WatchedFixture extends Fixture {
  readonly collector: OtlpReceiver;
}

/** Starts every observed service, and what receives their telemetry. */
export async function openFixture(testEnvironment: TestEnvironment, toEnd: Closers): Promise<WatchedFixture> {
  const collector = await otlpReceiver();
  toEnd.add(collector.close);
  const receiver = await notifiedServer();
  toEnd.add(receiver.close);
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, EGRESS_ALLOW_HOSTS: receiver.host };
  const services = await startWatchedServices(testEnvironment, environment, toEnd);
  const { port } = services.authorization;
  const gateway = await openGateway([{ port, isReady: async () => true }]);
  toEnd.add(gateway.close);
  const endSession: Fixture['endSession'] = async (id, traceparent) => {
    const headers = {
      authorization: `Bearer ${services.masterToken}`,
      ...(traceparent !== undefined && { traceparent }),
    };
    const path = `/direct-authz/sessions/${id}`;
    const { status } = await gateway.send({ method: 'DELETE', path, headers });
    if (status !== 204) throw new Error(`the session was not ended: ${status}`);
  };
  return { ...testEnvironment, services, receiver, endSession, collector };
}
