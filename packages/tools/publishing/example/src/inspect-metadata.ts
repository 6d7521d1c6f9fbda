import { defaultSupportedMetadata, validateClientMetadata } from '@vestibule/metadata';
import { DomainError } from '@vestibule/protocol';
import { isJsonObject } from '@vestibule/protocol/json';

/** What a server would register for this metadata, or why it would refuse. */
export function inspectMetadata(value: unknown): object {
  if (!isJsonObject(value)) return { acceptable: false, reason: 'not a JSON object' };
  try {
    const registered = validateClientMetadata(value, defaultSupportedMetadata());
    return { acceptable: true, registered };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { acceptable: false, error: error.code, reason: error.description };
  }
}
