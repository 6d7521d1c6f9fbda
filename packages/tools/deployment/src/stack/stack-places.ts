import { freePort } from '@vestibule/local-services';
import { type ComposeFile, environmentOf } from '../compose/compose-file.js';

/** Where one instance of a service is on this machine. */
export interface InstancePlace {
  readonly service: string;
  /** The service's name and number. */
  readonly name: string;
  /** `127.0.0.1:port` of what the gateway asks, and of what operators ask. */
  readonly address: string;
  readonly management: string;
}

/** Where everything of a stack is on this machine. */
export interface StackPlaces {
  readonly gatewayPort: number;
  /** In the order in which they start. */
  readonly instances: readonly InstancePlace[];
  /** `127.0.0.1:port` of the instances behind each `name:port` of the compose file. */
  readonly behind: ReadonlyMap<string, readonly string[]>;
  /** The first of these, for who asks one; and addresses of containers. Stores are added when they run. */
  readonly addresses: Map<string, string>;
}

const LOOPBACK = '127.0.0.1';

/** Chooses a port for everything that a compose file starts. */
export async function choosePlaces(compose: ComposeFile, gatewayPort: number): Promise<StackPlaces> {
  const instances: InstancePlace[] = [];
  const behind = new Map<string, readonly string[]>();
  for (const [service, definition] of Object.entries(compose.services)) {
    const { PORT } = environmentOf(definition);
    if (PORT === undefined) continue;
    const { replicas = 1 } = definition.deploy ?? {};
    const own: InstancePlace[] = [];
    for (let number = 1; number <= replicas; number += 1) {
      const [address, management] = [`${LOOPBACK}:${await freePort()}`, `${LOOPBACK}:${await freePort()}`];
      own.push({ service, name: `${service}-${number}`, address, management });
    }
    instances.push(...own);
    behind.set(
      `${service}:${PORT}`,
      own.map(({ address }) => address),
    );
  }
  const addresses = new Map([...behind].map(([name, [first = '']]) => [name, first]));
  for (const address of containerAddresses(compose)) addresses.set(address, LOOPBACK);
  return { gatewayPort, instances, behind, addresses };
}

/** The addresses that containers are given by number. */
function containerAddresses({ services }: ComposeFile): readonly string[] {
  return Object.values(services).flatMap(({ networks = [] }) =>
    Array.isArray(networks) ? [] : Object.values(networks).map(({ ipv4_address }) => ipv4_address),
  );
}

/** The port of `127.0.0.1:port`. */
export function portOf(address: string): string {
  return address.slice(LOOPBACK.length + 1);
}
