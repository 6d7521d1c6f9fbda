import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { startChildServer } from '../servers/child-server.js';
import { ISSUER } from '../test-environment/installation.js';
import { subjectOf, TOKEN_SCOPE } from '../test-environment/issued-tokens.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Target } from '../workloads/workload.js';
import { introspectionTraffic } from './introspection-service.js';

/** The storage of node-oidc-provider. */
export type PeerStorage = 'memory' | 'Redis';

/** The target name of node-oidc-provider. */
export function peerName(storage: PeerStorage): string {
  return `node-oidc-provider, ${storage}`;
}

/** The requests to node-oidc-provider. */
export interface PeerOptions {
  readonly storage: PeerStorage;
  /** The number of live tokens. */
  readonly count: number;
  readonly accept?: string;
  readonly signedResponseAlgorithm?: string;
}

const Tokens = Type.Array(Type.String());
const CLIENT_ID = 'resource-server';

/** A running node-oidc-provider. */
export interface RunningPeer {
  readonly port: number;
  readonly pid: number;
  readonly clientSecret: string;
  /** In the order of their subjects. */
  readonly tokens: readonly string[];
  stop(): Promise<void>;
}

/** Starts node-oidc-provider with a resource server and one token for each of that many end-users. */
export async function startPeer(
  testEnvironment: TestEnvironment,
  options: PeerOptions,
): Promise<RunningPeer> {
  const { storage, count, signedResponseAlgorithm } = options;
  const clientSecret = randomBytes(32).toString('hex');
  await testEnvironment.forget();
  const configuration = {
    issuer: ISSUER,
    ...(storage === 'Redis' && { redisUrl: (await testEnvironment.redis()).url }),
    clientId: CLIENT_ID,
    clientSecret,
    ...(signedResponseAlgorithm !== undefined && { signedResponseAlgorithm }),
    subjects: Array.from({ length: count }, (_, i) => subjectOf(i)),
    scope: TOKEN_SCOPE,
  };
  const server = await startChildServer('oidc-provider', configuration, testEnvironment.pinning.serverPrefix);
  const { process, port, details } = server;
  return { port, pid: process.pid, clientSecret, tokens: Value.Parse(Tokens, details), stop: process.stop };
}

/** The introspection endpoint of node-oidc-provider. */
export function peerIntrospection(testEnvironment: TestEnvironment, options: PeerOptions): Target {
  return {
    name: peerName(options.storage),
    open: async () => {
      const { port, pid, clientSecret, tokens, stop } = await startPeer(testEnvironment, options);
      const { accept } = options;
      const caller = {
        path: '/token/introspection',
        clientId: CLIENT_ID,
        clientSecret,
        ...(accept !== undefined && { accept }),
      };
      const issued = tokens.map((token, i) => ({ token, subject: subjectOf(i) }));
      const traffic = introspectionTraffic({ caller, tokens: issued, tokenReads: 'cached' });
      return { port, pid, traffic, close: stop };
    },
  };
}
