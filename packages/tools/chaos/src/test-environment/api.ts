import { join } from 'node:path';
import { type Closers, freePort } from '@vestibule/local-services';
import { getOnce, type HttpCaller, tokenBearer } from '../load/http.js';
import { type ChaosProxy, chaosProxy } from '../network/chaos-proxy.js';
import { type PlainProcess, startPlainProcess } from '../processes/plain-process.js';
import { until } from '../until.js';
import { type Installation, ISSUER } from './installation.js';
import { ROOT } from './root.js';

/** An API that verifies tokens with `@vestibule/resource-server`, behind a gateway to all instances. */
export interface Api {
  /** Its name in histories. */
  readonly node: string;
  readonly process: PlainProcess;
  /** The gateway between the API and the instances. */
  readonly gateway: ChaosProxy;
  /** A client of the API. It reads a status of 401 as inactive, so that the API is asked like an instance. */
  readonly caller: Pick<HttpCaller, 'post'>;
}

/** The name of the API in histories. */
export const API_NODE = 'api';

const PROGRAM = join(ROOT, 'packages/tools/chaos/dist/processes/api-program.js');

/** Starts an API, and waits until it listens. */
export async function openApi(
  { resourceServer: { id, secret } }: Installation,
  toEnd: Closers,
  ports: readonly [number, ...number[]],
): Promise<Api> {
  const gateway = await chaosProxy(...ports);
  toEnd.add(gateway.close);
  const port = await freePort();
  const process = await startPlainProcess({
    command: [globalThis.process.execPath, PROGRAM],
    environment: {
      ISSUER,
      GATEWAY: `http://127.0.0.1:${gateway.port}`,
      CLIENT_ID: id,
      CLIENT_SECRET: secret,
      PORT: String(port),
    },
  });
  toEnd.add(() => process.end());
  await until(async () => (await getOnce(port, '/')).status === 401);
  const caller = tokenBearer(port);
  toEnd.add(async () => caller.close());
  return { node: API_NODE, process, gateway, caller };
}
