import type { ClientAuthDeps } from '@vestibule/client-auth';
import type { IntrospectionDeps } from '@vestibule/tokens';

/** What the introspection endpoint works with: ports and settings, nothing else. */
export type IntrospectionServiceDeps = IntrospectionDeps & ClientAuthDeps;
