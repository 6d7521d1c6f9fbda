import { join } from 'node:path';
import type { Installation } from './installation.js';
import { type LocalProcess, startLocalProcess } from './local-process.js';
import { placesOf, programOf } from './program-of.js';
import { type InstancePlace, portOf } from './stack-places.js';

/** One process of a service. */
export interface Instance {
  readonly place: InstancePlace;
  readonly process: LocalProcess;
}

/** Starts an instance of a service with the settings of the compose file, and waits until it is ready. */
export async function startInstance(installation: Installation, place: InstancePlace): Promise<Instance> {
  const { logFolder, toEnd } = installation;
  const places = await placesOf(installation, place.service, place.name);
  const { words, folder, environment } = programOf(installation, place.service, places);
  const running = await startLocalProcess({
    name: place.name,
    words,
    folder,
    environment: {
      ...environment,
      HOST: '127.0.0.1',
      PORT: portOf(place.address),
      MANAGEMENT_PORT: portOf(place.management),
    },
    logFile: join(logFolder, place.name),
  });
  toEnd.add(running.stop);
  await running.until(() => isGood(`http://${place.management}/health/ready`));
  return { place, process: running };
}

/** Whether an address answers that all is well. */
export async function isGood(address: string): Promise<boolean> {
  return fetch(address, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}
