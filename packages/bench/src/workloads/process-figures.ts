import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { INTROSPECTION_PATH, introspectionService } from '../contestants/introspection-service.js';
import { registrationService } from '../contestants/registration-service.js';
import { residentBytes } from '../measure/process-usage.js';
import { sendLoad, warmUp } from '../measure/send-load.js';
import { serviceModule, startService } from '../servers/service.js';
import type { IntrospectionScene } from '../stage/introspection-scene.js';
import type { RegistrationScene } from '../stage/registration-scene.js';
import { ROOT } from '../stage/root.js';
import type { Stage } from '../stage/stage.js';
import type { Contestant, Figure, FigureWorkload } from './workload.js';

const BYTES_PER_MB = 1_048_576;
const READY_AT_MOST_S = 1.5;
const MEMORY_AT_MOST_MB = 180;
const CONNECTIONS = 32;
const SETTLE_MS = 2_000;

/** How long each service of the product takes to start. */
export function coldStartWorkload(stage: Stage, scene: IntrospectionScene): FigureWorkload {
  return {
    kind: 'figures',
    id: 'cold-start',
    title: 'from the start of the process to ready',
    measure: async () => {
      const installation = await scene.installation();
      const environment = { ...installation.environment, DATA_DIR: join(stage.folder, 'standalone') };
      const figures: Figure[] = [];
      for (const name of services()) {
        const values: number[] = [];
        for (let round = 0; round < stage.effort.rounds; round += 1) {
          const service = await startService({ name, environment, prefix: stage.pinning.serverPrefix });
          await service.process.stop();
          values.push(service.readyMs / 1000);
        }
        figures.push({ name, values, unit: 's', atMost: READY_AT_MOST_S });
      }
      return figures;
    },
  };
}

/** What the services hold in memory after they were busy. */
export function memoryWorkload(
  stage: Stage,
  introspection: IntrospectionScene,
  registration: RegistrationScene,
): FigureWorkload {
  return {
    kind: 'figures',
    id: 'memory',
    title: 'resident memory after load',
    measure: async () => {
      const installation = await introspection.installation();
      const { client_id: clientId, client_secret: clientSecret } = await introspection.resourceServer();
      const caller = { path: INTROSPECTION_PATH, clientId, clientSecret };
      const tokens = await introspection.identifierTokens(10_000);
      const contestants = {
        'introspection, 10,000 tokens': introspectionService(stage, installation, {
          caller,
          tokens,
          sight: 'known',
        }),
        'registration, POST': registrationService(registration, 'POST'),
      };
      const figures: Figure[] = [];
      for (const [name, contestant] of Object.entries(contestants)) {
        const values: number[] = [];
        for (let round = 0; round < stage.effort.rounds; round += 1)
          values.push((await memoryAfterLoad(stage, contestant)) / BYTES_PER_MB);
        figures.push({ name, values, unit: 'MB', atMost: MEMORY_AT_MOST_MB });
      }
      return figures;
    },
  };
}

async function memoryAfterLoad(stage: Stage, contestant: Contestant): Promise<number> {
  const opened = await contestant.open();
  try {
    await warmUp(stage, opened, CONNECTIONS);
    await sendLoad(stage, opened, { connections: CONNECTIONS, seconds: stage.effort.seconds });
    await pause(SETTLE_MS);
    return (opened.pid === undefined ? undefined : await residentBytes(opened.pid)) ?? 0;
  } finally {
    await opened.close();
  }
}

/** Every folder of `apps` with a server that was built. */
function services(): readonly string[] {
  return readdirSync(join(ROOT, 'apps'))
    .filter((name) => existsSync(serviceModule(name)))
    .toSorted();
}
