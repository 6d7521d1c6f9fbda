import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { residentBytes } from '../measure/process-usage.js';
import { sendLoad, warmUp } from '../measure/send-load.js';
import { serviceModule, startService } from '../servers/service.js';
import { forwardAuthSettings } from '../targets/forward-auth-service.js';
import { INTROSPECTION_PATH, introspectionService } from '../targets/introspection-service.js';
import { registrationService } from '../targets/registration-service.js';
import { startAuthorizationServer } from '../test-environment/authorization-server.js';
import { CONSOLE_ORIGIN } from '../test-environment/console-fixture.js';
import type { IntrospectionFixture } from '../test-environment/introspection-fixture.js';
import type { RegistrationFixture } from '../test-environment/registration-fixture.js';
import { ROOT } from '../test-environment/root.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Figure, FigureWorkload, Target } from './workload.js';

const BYTES_PER_MB = 1_048_576;
const READY_AT_MOST_S = 1.5;
const MEMORY_AT_MOST_MB = 180;
const CONNECTIONS = 32;
const SETTLE_MS = 2_000;

/** How long each service takes to start. */
export function coldStartWorkload(
  testEnvironment: TestEnvironment,
  fixture: IntrospectionFixture,
): FigureWorkload {
  return {
    kind: 'figures',
    id: 'cold-start',
    title: 'from the start of the process to ready',
    measure: async () => {
      const installation = await fixture.installation();
      // Forward authentication sends its introspection requests to this server.
      const server = await startAuthorizationServer(installation, await fixture.resourceServer());
      try {
        const additions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
          console: { CONSOLE_URL: CONSOLE_ORIGIN },
          'forward-auth': await forwardAuthSettings(server.requirements, testEnvironment.folder),
          standalone: { DATA_DIR: join(testEnvironment.folder, 'standalone') },
        };
        const figures: Figure[] = [];
        for (const name of services()) {
          const environment = { ...installation.environment, ...additions[name] };
          const values = await startTimes(testEnvironment, name, environment);
          figures.push({ name, values, unit: 's', atMost: READY_AT_MOST_S });
        }
        return figures;
      } finally {
        await server.stop();
      }
    },
  };
}

/** Start times of a service in seconds, one for each round. */
async function startTimes(
  { effort, pinning }: TestEnvironment,
  name: string,
  environment: Readonly<Record<string, string>>,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < effort.rounds; round += 1) {
    const service = await startService({ name, environment, prefix: pinning.serverPrefix });
    await service.process.stop();
    times.push(service.readyMs / 1000);
  }
  return times;
}

/** The memory of services after a load. */
export function memoryWorkload(
  testEnvironment: TestEnvironment,
  introspection: IntrospectionFixture,
  registration: RegistrationFixture,
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
      const targets = {
        'introspection, 10,000 tokens': introspectionService(testEnvironment, installation, {
          caller,
          tokens,
          tokenReads: 'cached',
        }),
        'registration, POST': registrationService(registration, 'POST'),
      };
      const figures: Figure[] = [];
      for (const [name, target] of Object.entries(targets)) {
        const values: number[] = [];
        for (let round = 0; round < testEnvironment.effort.rounds; round += 1)
          values.push(await memoryAfterLoad(testEnvironment, target));
        figures.push({ name, values, unit: 'MB', atMost: MEMORY_AT_MOST_MB });
      }
      return figures;
    },
  };
}

/** The resident memory of a freshly started server some time after a load, in MB. */
export async function memoryAfterLoad(testEnvironment: TestEnvironment, target: Target): Promise<number> {
  const opened = await target.open();
  try {
    await warmUp(testEnvironment, opened, CONNECTIONS);
    await sendLoad(testEnvironment, opened, {
      connections: CONNECTIONS,
      seconds: testEnvironment.effort.seconds,
    });
    await pause(SETTLE_MS);
    const bytes = opened.pid === undefined ? undefined : await residentBytes(opened.pid);
    return (bytes ?? 0) / BYTES_PER_MB;
  } finally {
    await opened.close();
  }
}

/** Every folder of `apps` with a built server. */
function services(): readonly string[] {
  return readdirSync(join(ROOT, 'apps'))
    .filter((name) => existsSync(serviceModule(name)))
    .toSorted();
}
