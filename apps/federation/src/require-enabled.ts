import { DomainError } from '@vestibule/protocol';
import type { Federation } from './deps.js';

/**
 * Requires federation to be enabled.
 * @throws DomainError `federation_not_enabled` otherwise
 */
export function enabled(federation: Federation | undefined): Federation {
  if (federation !== undefined) return federation;
  throw new DomainError('federation_not_enabled', 'OpenID Federation is not enabled.');
}
