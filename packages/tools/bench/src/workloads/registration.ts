import { rawRequest } from '../load/raw-request.js';
import { startChildServer } from '../servers/child-server.js';
import {
  type Constant,
  constantLike,
  constantTraffic,
  firstResponse,
  LIMIT,
} from '../targets/bare-servers.js';
import { peerName, startPeer } from '../targets/oidc-provider.js';
import {
  type RegistrationOperation,
  registrationService,
  registrationTraffic,
} from '../targets/registration-service.js';
import { openRegistration } from '../targets/registration-traffic.js';
import { REGISTRATION_PATH } from '../test-environment/registered-client.js';
import type { RegistrationFixture } from '../test-environment/registration-fixture.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Comparison, Reach, Target } from './workload.js';

const CONNECTIONS = 16;
/** The default pool size of a service. */
const POOL_SIZE = 10;
const PEER_PATH = '/reg';
/** The name of the bare route that reads and updates a row as an update must. */
const READ_AND_UPDATE = 'limit with one SELECT, one UPDATE';

const WORKLOADS: readonly {
  readonly operation: RegistrationOperation;
  readonly title: string;
  readonly reach: readonly Reach[];
}[] = [
  {
    operation: 'POST',
    title: 'registration, durable, open; bare Fastify inserts the same row',
    reach: [
      { against: LIMIT, atLeast: 0.45 },
      { against: peerName('Redis'), atLeast: 1.4 },
      { against: peerName('memory') },
    ],
  },
  {
    operation: 'PUT',
    title: 'update with the registration access token, both replaced; bare Fastify inserts a row',
    reach: [{ against: LIMIT, atLeast: 0.35 }, { against: READ_AND_UPDATE }, { against: peerName('Redis') }],
  },
  {
    operation: 'GET',
    title: 'read with the registration access token; bare Fastify reads the row by its key',
    reach: [{ against: LIMIT, atLeast: 0.6 }, { against: peerName('Redis') }],
  },
];

/** Registration, update and reading of clients. */
export function registrationWorkloads(
  testEnvironment: TestEnvironment,
  fixture: RegistrationFixture,
): readonly Comparison[] {
  return WORKLOADS.map(({ operation, title, reach }) => ({
    kind: 'comparison',
    id: `registration-${operation.toLowerCase()}`,
    title,
    connections: CONNECTIONS,
    reach,
    targets: async () => {
      const ours = registrationService(fixture, operation);
      const peers = reach.flatMap(({ against }) =>
        (['memory', 'Redis'] as const).filter((storage) => peerName(storage) === against),
      );
      const limit = { testEnvironment, fixture, response: constantLike(await firstResponse(ours)) };
      return [
        storageLimit(LIMIT, operation === 'GET' ? 'GET' : 'POST', limit),
        ours,
        ...(operation === 'PUT' ? [storageLimit(READ_AND_UPDATE, 'PUT', limit)] : []),
        ...peers.map((storage) => peerRegistration(testEnvironment, storage, operation)),
      ];
    },
  }));
}

interface StorageLimit {
  readonly testEnvironment: TestEnvironment;
  readonly fixture: RegistrationFixture;
  readonly response: Constant;
}

/** The statements of an operation for each request, and a response of the size of ours. */
function storageLimit(
  name: string,
  operation: RegistrationOperation,
  { testEnvironment, fixture, response }: StorageLimit,
): Target {
  return {
    name,
    open: async () => {
      const clientId = await fixture.reset();
      const { databaseUrl } = await fixture.installation();
      const configuration = { databaseUrl, poolSize: POOL_SIZE, clientId, ...response };
      const { process, port } = await startChildServer(
        'bare-storage',
        configuration,
        testEnvironment.pinning.serverPrefix,
      );
      const path = `${REGISTRATION_PATH}/${clientId}`;
      const request =
        operation === 'POST' ? openRegistration(REGISTRATION_PATH) : rawRequest({ method: operation, path });
      const traffic = constantTraffic({ response, requests: [request] });
      return { port, pid: process.pid, traffic, close: process.stop };
    },
  };
}

function peerRegistration(
  testEnvironment: TestEnvironment,
  storage: 'memory' | 'Redis',
  operation: RegistrationOperation,
): Target {
  return {
    name: peerName(storage),
    open: async () => {
      const { port, pid, stop } = await startPeer(testEnvironment, { storage, count: 0 });
      const { traffic } = await registrationTraffic({ port, path: PEER_PATH }, operation);
      return { port, pid, traffic, close: stop };
    },
  };
}
