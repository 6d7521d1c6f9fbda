import { type Closers, closers } from '@vestibule/local-services';
import { type HttpCaller, httpCaller } from '../load/http.js';
import { type ChaosProxy, chaosProxy } from '../network/chaos-proxy.js';
import { redisUrl } from '../processes/redis.js';
import { type ServiceUnderFault, startService } from '../processes/service.js';
import { type Api, openApis } from './api.js';
import type { TestEnvironment } from './test-environment.js';

/** One instance of the introspection service, with proxies to its stores. */
export interface Instance {
  /** Its name in histories. */
  readonly node: string;
  readonly service: ServiceUnderFault;
  readonly postgres: ChaosProxy;
  readonly redis: ChaosProxy;
  /** The resource server that introspects there. */
  readonly caller: HttpCaller;
}

/** Two instances in one test environment, and APIs behind them. */
export interface Cluster extends TestEnvironment {
  readonly instances: readonly [Instance, Instance];
  /** The API with the package. */
  readonly api: Api;
  /** Every API, that one first. */
  readonly apis: readonly Api[];
  close(): Promise<void>;
}

/** Settings of a cluster that differ from the defaults. */
export interface ClusterOptions {
  /** Settings of both instances. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Settings of the second instance. */
  readonly secondEnvironment?: Readonly<Record<string, string>>;
  /** Environment of the API with the package, besides its settings. */
  readonly apiEnvironment?: Readonly<Record<string, string>>;
  /** Another Redis than that of the test environment; it is used without a proxy. */
  readonly redisUrl?: string;
  /** Whether there is a second API, with the client that the guide on the stream of changes shows. */
  readonly hasReference?: boolean;
}

/** Opens two instances and waits until both are ready. */
export async function openCluster(
  testEnvironment: TestEnvironment,
  options: ClusterOptions = {},
): Promise<Cluster> {
  const toEnd = closers();
  const { environment, secondEnvironment, apiEnvironment = {}, hasReference = false } = options;
  try {
    const open = (node: string, own: ClusterOptions['environment']) =>
      openInstance(testEnvironment, toEnd, { ...options, node, environment: { ...environment, ...own } });
    const instances = await Promise.all([open('a', {}), open('b', secondEnvironment)]);
    const [one, other] = instances;
    const ports = [one.service.port, other.service.port] as const;
    const apis = await openApis(testEnvironment.installation, toEnd, { ports, apiEnvironment, hasReference });
    return { ...testEnvironment, instances, api: apis[0], apis, close: toEnd.closeAll };
  } catch (error) {
    await toEnd.closeAll();
    throw error;
  }
}

async function openInstance(
  { postgres: server, redis: store, installation }: TestEnvironment,
  toEnd: Closers,
  { node, environment, redisUrl: otherRedis }: ClusterOptions & { readonly node: string },
): Promise<Instance> {
  const postgres = await chaosProxy(server.port);
  toEnd.add(postgres.close);
  const redis = await chaosProxy(store.port);
  toEnd.add(redis.close);
  const database = new URL(server.url(installation.database));
  database.port = String(postgres.port);
  const service = await startService({
    name: 'introspection',
    environment: {
      ...installation.environment,
      DATABASE_URL: database.href,
      REDIS_URL: otherRedis ?? redisUrl(redis.port),
      ...environment,
    },
  });
  toEnd.add(service.stop);
  const caller = httpCaller(service.port, installation.resourceServer.authorization);
  toEnd.add(async () => caller.close());
  return { node, service, postgres, redis, caller };
}
