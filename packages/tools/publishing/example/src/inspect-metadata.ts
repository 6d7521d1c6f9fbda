import { defaultSupportedMetadata, validateClientMetadata } from '@vestibule/metadata';
import { DomainError } from '@vestibule/protocol';
import { isJsonObject } from '@vestibule/protocol/json';

/** The metadata that a server would register, or its reason to refuse. */
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
