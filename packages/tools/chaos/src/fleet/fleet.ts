import type { Closers } from '@vestibule/local-services';
import {
  type Renewal,
  type Replacement,
  type ServiceUnderFault,
  startService,
} from '../processes/service.js';
import { until } from '../until.js';
import { type Gateway, openGateway } from './gateway.js';

/** The service of a fleet and its settings. */
export interface FleetOptions {
  /** The folder below `apps`. */
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The root of the build, default this repository. */
  readonly root?: string;
}

/** Two instances of one service behind a gateway. */
export interface Fleet {
  readonly name: string;
  readonly instances: readonly [ServiceUnderFault, ServiceUnderFault];
  readonly gateway: Gateway;
  /** Replaces one instance and waits until the gateway sends requests to it. */
  replace(which: 0 | 1, renewal?: Renewal): Promise<Replacement>;
  /** Replaces one instance after the other. */
  roll(renewal?: Renewal): Promise<readonly Replacement[]>;
}

/** Starts a fleet and waits until both instances are ready. */
export async function openFleet(options: FleetOptions, toEnd: Closers): Promise<Fleet> {
  const start = async () => {
    const service = await startService(options);
    toEnd.add(service.stop);
    return service;
  };
  const instances = [await start(), await start()] as const;
  const gateway = await openGateway(instances);
  toEnd.add(gateway.close);
  const replace: Fleet['replace'] = async (which, renewal) => {
    const replacement = await instances[which].replace(renewal);
    await until(async () => gateway.taking() === instances.length);
    return replacement;
  };
  return {
    name: options.name,
    instances,
    gateway,
    replace,
    roll: async (renewal) => [await replace(0, renewal), await replace(1, renewal)],
  };
}
