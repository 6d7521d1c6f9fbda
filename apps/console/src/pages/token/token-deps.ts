import type { Store } from '@vestibule/database';
import type { IntrospectionServiceDeps } from '@vestibule/introspection';
import type { IntrospectionDeps } from '@vestibule/tokens/introspection';

/** The rules by which the introspection service responds, and the stores that it reads, without its caches. */
export type TokenIntrospection = Omit<IntrospectionDeps, 'inactiveResponseRateLimit'> &
  Pick<IntrospectionServiceDeps, 'format'>;

/** What the pages about a token work on. */
export interface TokenPagesDeps {
  readonly store: Pick<Store, 'database' | 'encryptor' | 'digester' | 'providerKeys' | 'clock'>;
  readonly introspection: TokenIntrospection;
}
