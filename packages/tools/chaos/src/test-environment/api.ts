import { join } from 'node:path';
import { type Closers, freePort } from '@vestibule/local-services';
import { getOnce, type HttpCaller, tokenBearer } from '../load/http.js';
import { type ChaosProxy, chaosProxy } from '../network/chaos-proxy.js';
import { type PlainProcess, startPlainProcess } from '../processes/plain-process.js';
import { until } from '../until.js';
import { type Installation, ISSUER } from './installation.js';
import { ROOT } from './root.js';

/** An API that verifies tokens and follows the stream of changes, behind a gateway to all instances. */
export interface Api {
  /** Its name in histories. */
  readonly node: string;
  readonly process: PlainProcess;
  /** The gateway between the APIs and the instances. */
  readonly gateway: ChaosProxy;
  /** A client of the API. It reads a status of 401 as inactive, so that the API is asked like an instance. */
  readonly caller: Pick<HttpCaller, 'post'>;
}

/** The name in histories of the API with `@vestibule/resource-server`. */
export const API_NODE = 'api';
/** The name in histories of the API with the client that the guide on the stream of changes shows. */
export const REFERENCE_NODE = 'reference';

const PROGRAMS = join(ROOT, 'packages/tools/chaos/dist/processes');

/** Options of {@link openApis}. */
export interface ApisOptions {
  /** The ports of the instances. */
  readonly ports: readonly [number, ...number[]];
  /** The environment of the API with the package, besides its settings. */
  readonly apiEnvironment: Readonly<Record<string, string>>;
  /** Whether to start the second API. */
  readonly hasReference: boolean;
}

/** Starts the API with the package, and another one if wanted, behind one gateway. Waits until they listen. */
export async function openApis(
  installation: Installation,
  toEnd: Closers,
  { ports, apiEnvironment, hasReference }: ApisOptions,
): Promise<readonly [Api, ...Api[]]> {
  const gateway = await chaosProxy(...ports);
  toEnd.add(gateway.close);
  const open = (program: Omit<ApiProgram, 'gateway'>) =>
    openApi(installation, toEnd, { ...program, gateway });
  const api = await open({ node: API_NODE, file: 'api-program.js', environment: apiEnvironment });
  if (!hasReference) return [api];
  return [api, await open({ node: REFERENCE_NODE, file: 'reference-program.js', environment: {} })];
}

/** The program of an API. */
interface ApiProgram extends Pick<Api, 'node' | 'gateway'> {
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
}

async function openApi(
  { resourceServer: { id, secret } }: Installation,
  toEnd: Closers,
  { node, file, environment, gateway }: ApiProgram,
): Promise<Api> {
  const port = await freePort();
  const process = await startPlainProcess({
    command: [globalThis.process.execPath, join(PROGRAMS, file)],
    environment: {
      ...environment,
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
  return { node, process, gateway, caller };
}
