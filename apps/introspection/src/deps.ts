import type { ClientAuthDeps, ClientWatch } from '@vestibule/client-auth';
import type { ClientUses } from '@vestibule/clients';
import type { IntrospectionDeps } from '@vestibule/tokens';

/** What the introspection endpoint works with: ports and settings, nothing else. */
export type IntrospectionServiceDeps = IntrospectionDeps &
  ClientAuthDeps & {
    /** Knows when what was read of a client may be wrong; without it nothing of a caller is remembered. */
    readonly watch?: ClientWatch;
    /** Told of every caller; without it nobody learns which clients are in use. */
    readonly clientUses?: ClientUses;
  };
