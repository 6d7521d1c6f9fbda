import type { Closers } from '@vestibule/local-services';
import { openGateway } from '../fleet/gateway.js';
import type { Stage } from '../stage/stage.js';
import type { Scene } from './metric-move.js';
import { type OtlpReceiver, otlpReceiver } from './otlp-receiver.js';
import { toldServer } from './told-server.js';
import { startWatchedServices } from './watched-services.js';

/** Every service as a process, as an operator watches them. */
export interface WatchedScene extends Scene {
  readonly collector: OtlpReceiver;
}

/** Starts everything that is watched, and who watches it. */
export async function openScene(stage: Stage, toEnd: Closers): Promise<WatchedScene> {
  const collector = await otlpReceiver();
  toEnd.add(collector.close);
  const told = await toldServer();
  toEnd.add(told.close);
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, EGRESS_ALLOW_HOSTS: told.host };
  const services = await startWatchedServices(stage, environment, toEnd);
  const { port } = services.authorization;
  const gateway = await openGateway([{ port, isReady: async () => true }]);
  toEnd.add(gateway.close);
  const endSession: Scene['endSession'] = async (id, traceparent) => {
    const headers = {
      authorization: `Bearer ${services.masterToken}`,
      ...(traceparent !== undefined && { traceparent }),
    };
    const path = `/direct-authz/sessions/${id}`;
    const { status } = await gateway.send({ method: 'DELETE', path, headers });
    if (status !== 204) throw new Error(`the session was not ended: ${status}`);
  };
  return { ...stage, services, told, endSession, collector };
}
