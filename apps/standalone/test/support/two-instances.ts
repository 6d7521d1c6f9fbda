import { createTestDatabase, testRedisUrl } from '@vestibule/testkit';
import { onTestFinished } from 'vitest';
import { startBalancer } from './balancer.js';
import { type InProcessStack, startInProcess } from './in-process-stack.js';
import { patientAddress } from './patient-address.js';
import { type Settings, temporaryFolder } from './standalone-process.js';

/** Two instances of the whole stack over one Postgres and one Redis, behind one address. */
export type TwoInstances = Awaited<ReturnType<typeof twoInstances>>;

/** Starts two instances that end with the test; requests to their common address go to either in turn. */
export async function twoInstances(settings: Settings = {}) {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const balancer = await startBalancer();
  onTestFinished(() => balancer.stop());
  const shared = {
    DATABASE_URL: patientAddress(database.url),
    REDIS_URL: await testRedisUrl(),
    BASE_URL: balancer.baseUrl,
    REGISTRATION_CREATED_STATUS: '201',
    ...settings,
  };
  const start = async (): Promise<InProcessStack> => {
    const instance = await startInProcess(folder.path, shared);
    onTestFinished(() => instance.stop());
    balancer.add(instance.port);
    return instance;
  };
  const instances = [await start(), await start()] as const;
  const [{ masterToken }] = instances;
  const stack = { baseUrl: balancer.baseUrl, issuer: balancer.baseUrl, masterToken };
  return { stack, balancer, instances, databaseUrl: database.url, folder: folder.path };
}
