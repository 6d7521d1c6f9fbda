import {
  type Constant,
  constantLike,
  constantTraffic,
  firstAnswer,
  LIMIT,
} from '../contestants/bare-servers.js';
import { peerName, startPeer } from '../contestants/oidc-provider.js';
import {
  type RegistrationOperation,
  registrationService,
  registrationTraffic,
} from '../contestants/registration-service.js';
import { openRegistration } from '../contestants/registration-traffic.js';
import { rawRequest } from '../load/raw-request.js';
import { startChildServer } from '../servers/child-server.js';
import { REGISTRATION_PATH } from '../stage/registered-client.js';
import type { RegistrationScene } from '../stage/registration-scene.js';
import type { Stage } from '../stage/stage.js';
import type { Comparison, Contestant, Reach } from './workload.js';

const CONNECTIONS = 16;
/** As many as a service opens by itself. */
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
    title: 'registration, durable, open; the limit inserts the same row',
    reach: [
      { against: LIMIT, atLeast: 0.45 },
      { against: peerName('Redis'), atLeast: 1.4 },
      { against: peerName('memory') },
    ],
  },
  {
    operation: 'PUT',
    title: 'update with the registration access token, both replaced; the limit inserts a row',
    reach: [{ against: LIMIT, atLeast: 0.35 }, { against: READ_AND_UPDATE }, { against: peerName('Redis') }],
  },
  {
    operation: 'GET',
    title: 'read with the registration access token; the limit reads the row by its key',
    reach: [{ against: LIMIT, atLeast: 0.6 }, { against: peerName('Redis') }],
  },
];

/** Registration, update and reading of clients. */
export function registrationWorkloads(stage: Stage, scene: RegistrationScene): readonly Comparison[] {
  return WORKLOADS.map(({ operation, title, reach }) => ({
    kind: 'comparison',
    id: `registration-${operation.toLowerCase()}`,
    title,
    connections: CONNECTIONS,
    reach,
    contestants: async () => {
      const ours = registrationService(scene, operation);
      const peers = reach.flatMap(({ against }) =>
        (['memory', 'Redis'] as const).filter((storage) => peerName(storage) === against),
      );
      const limit = { stage, scene, answer: constantLike(await firstAnswer(ours)) };
      return [
        storageLimit(LIMIT, operation === 'GET' ? 'GET' : 'POST', limit),
        ours,
        ...(operation === 'PUT' ? [storageLimit(READ_AND_UPDATE, 'PUT', limit)] : []),
        ...peers.map((storage) => peerRegistration(stage, storage, operation)),
      ];
    },
  }));
}

interface StorageLimit {
  readonly stage: Stage;
  readonly scene: RegistrationScene;
  readonly answer: Constant;
}

/** The statements of an operation for each request, and an answer of the size of ours. */
function storageLimit(
  name: string,
  operation: RegistrationOperation,
  { stage, scene, answer }: StorageLimit,
): Contestant {
  return {
    name,
    open: async () => {
      const clientId = await scene.reset();
      const { databaseUrl } = await scene.installation();
      const configuration = { databaseUrl, poolSize: POOL_SIZE, clientId, ...answer };
      const { process, port } = await startChildServer(
        'bare-storage',
        configuration,
        stage.pinning.serverPrefix,
      );
      const path = `${REGISTRATION_PATH}/${clientId}`;
      const request =
        operation === 'POST' ? openRegistration(REGISTRATION_PATH) : rawRequest({ method: operation, path });
      const traffic = constantTraffic({ answer, requests: [request] });
      return { port, pid: process.pid, traffic, close: process.stop };
    },
  };
}

function peerRegistration(
  stage: Stage,
  storage: 'memory' | 'Redis',
  operation: RegistrationOperation,
): Contestant {
  return {
    name: peerName(storage),
    open: async () => {
      const { port, pid, stop } = await startPeer(stage, { storage, count: 0 });
      const { traffic } = await registrationTraffic({ port, path: PEER_PATH }, operation);
      return { port, pid, traffic, close: stop };
    },
  };
}
