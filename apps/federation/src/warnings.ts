import { isLoopback } from '@vestibule/service/settings';
import type { FederationServiceConfig } from './config.js';

/** Warnings to log at start about settings that are accepted but risky on a public address. */
export function federationWarnings({
  BASE_URL,
  FEDERATION_ENABLED,
  FEDERATION_OLDER_DIALECT,
}: Pick<
  FederationServiceConfig,
  'BASE_URL' | 'FEDERATION_ENABLED' | 'FEDERATION_OLDER_DIALECT'
>): readonly string[] {
  const isRisky = FEDERATION_ENABLED && FEDERATION_OLDER_DIALECT === 'accepted';
  if (!isRisky || isLoopback(new URL(BASE_URL).hostname)) return [];
  return [
    'FEDERATION_OLDER_DIALECT=accepted: anyone who has read a published entity configuration can register it without aud and receives the client secret; set audience_required unless members cannot send aud',
  ];
}
