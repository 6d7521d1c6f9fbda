import type { Closers } from '@vestibule/local-services';
import { openSmallFederation, type SmallFederation } from '@vestibule/testkit/federation';

/** A small federation on loopback addresses, and the settings with which a stack trusts its anchor. */
export interface TrustedFederation {
  readonly federation: SmallFederation;
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts the federation. The stack has to be started afterwards, because its settings contain the keys of the anchor. */
export async function openTrustedFederation(toEnd: Closers): Promise<TrustedFederation> {
  const federation = await openSmallFederation();
  toEnd.add(federation.close);
  return {
    federation,
    settings: {
      FEDERATION_ENABLED: 'true',
      FEDERATION_TRUST_ANCHORS: JSON.stringify(federation.trustAnchors),
      // The applications of the tour request a scope of the resource server.
      FEDERATION_RIGHTS: 'client-reg:scope',
      // The first is for entities and for logout tokens to applications, the second is the provider's own name.
      EGRESS_ALLOW_HOSTS: '127.0.0.1,localhost',
    },
  };
}
