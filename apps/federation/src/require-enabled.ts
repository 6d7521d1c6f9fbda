import { DomainError } from '@vestibule/protocol';
import type { Federation } from './deps.js';

/** @throws DomainError `federation_not_enabled` where there is no federation. */
export function enabled(federation: Federation | undefined): Federation {
  if (federation !== undefined) return federation;
  throw new DomainError('federation_not_enabled', 'OpenID Federation is not enabled.');
}
