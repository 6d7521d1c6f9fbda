import { type ClientMetadata, orderMetadata } from '@vestibule/metadata';
import type { ClientId, JsonObject } from '@vestibule/protocol';

/** What would be registered, without newly issued members. */
export type EffectiveRegistration = JsonObject;

/**
 * The result of a dry run: the metadata as registered, defaults included, with `data` and the identifier if it is
 * known.
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
