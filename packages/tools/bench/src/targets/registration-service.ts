import { REGISTRATION_PATH } from '../test-environment/registered-client.js';
import type { RegistrationFixture } from '../test-environment/registration-fixture.js';
import { OURS, type Replay, type Target } from '../workloads/workload.js';
import { readingExchange, registerClients, registrationExchange, updates } from './registration-traffic.js';

/** An operation on clients. */
export type RegistrationOperation = 'POST' | 'PUT' | 'GET';

/** The number of clients that are read or updated in turn. */
export const CLIENTS = 4_000;
const SAMPLES = 50;

/** The registration service, over a database with one client more than are read or updated. */
export function registrationService(fixture: RegistrationFixture, operation: RegistrationOperation): Target {
  return {
    name: OURS,
    open: async () => {
      await fixture.reset();
      const { process, port } = await fixture.startService();
      const { traffic } = await registrationTraffic({ port, path: REGISTRATION_PATH }, operation);
      const aftermath = async (responses: number) => {
        const count = await fixture.countClients();
        return count > responses
          ? undefined
          : `${responses} clients were registered, and ${count} are stored`;
      };
      return {
        port,
        pid: process.pid,
        traffic,
        ...(operation === 'POST' && { aftermath }),
        close: process.stop,
      };
    },
  };
}

/** The requests of an operation to a listening server, after registering the clients that it needs. */
export async function registrationTraffic(
  place: { readonly port: number; readonly path: string },
  operation: RegistrationOperation,
) {
  const { path } = place;
  if (operation === 'POST') {
    const sample = registrationExchange(path);
    const traffic: Replay = { kind: 'replay', load: [sample.request], samples: [sample] };
    return { traffic };
  }
  const clients = await registerClients(place, CLIENTS);
  if (operation === 'PUT') return { traffic: { kind: 'dialogue', source: updates(path, clients) } } as const;
  const exchanges = clients.map((client) => readingExchange(path, client));
  const load = exchanges.map(({ request }) => request);
  const traffic: Replay = { kind: 'replay', load, samples: exchanges.slice(0, SAMPLES) };
  return { traffic };
}
