import type { ClientAuthDeps, ClientWatch } from '@vestibule/client-auth';
import type { IntrospectionDeps } from '@vestibule/tokens';

/** What the introspection endpoint works with: ports and settings, nothing else. */
export type IntrospectionServiceDeps = IntrospectionDeps &
  ClientAuthDeps & {
    /** Knows when what was read of a client may be wrong; without it nothing of a caller is remembered. */
    readonly watch?: ClientWatch;
  };
