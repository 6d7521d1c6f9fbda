import { openSmallFederation, type SmallFederation } from '@vestibule/testkit/federation';
import { type Standalone, startStandalone, temporaryFolder } from './standalone-process.js';

/** The stack and a small federation whose anchor it trusts, below the second intermediate. */
export interface FederatedStack {
  readonly federation: SmallFederation;
  readonly stack: Standalone;
  stop(): Promise<void>;
}

/** Starts both. */
export async function startFederatedStack(): Promise<FederatedStack> {
  const folder = await temporaryFolder();
  const federation = await openSmallFederation();
  const stack = await startStandalone(folder.path, {
    FEDERATION_ENABLED: 'true',
    FEDERATION_TRUST_ANCHORS: JSON.stringify(federation.trustAnchors),
    FEDERATION_AUTHORITY_HINTS: federation.intermediates[1].id,
    FEDERATION_RIGHTS: 'client-reg:scope',
    EGRESS_ALLOW_HOSTS: '127.0.0.1,localhost',
  });
  return {
    federation,
    stack,
    stop: async () => {
      await stack.stop();
      await federation.close();
      await folder.remove();
    },
  };
}
