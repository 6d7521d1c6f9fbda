import { type ClientMetadata, orderMetadata } from '@vestibule/metadata';
import type { ClientId, JsonObject } from '@vestibule/protocol';

/** What would be registered, without anything that only a registration issues. */
export type EffectiveRegistration = JsonObject;

/**
 * What a rehearsal answers: the metadata as registered, defaults included, with `data` and an identifier that is known.
 */
export function effectiveRegistration({
  id,
  metadata,
  data,
}: {
  readonly id?: ClientId | undefined;
  readonly metadata: ClientMetadata;
  readonly data?: JsonObject | undefined;
}): EffectiveRegistration {
  return {
    ...(id !== undefined && { client_id: id }),
    ...orderMetadata(metadata),
    ...(data !== undefined && { data }),
  };
}
