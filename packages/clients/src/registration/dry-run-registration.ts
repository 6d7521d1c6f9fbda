import { type ClientMetadata, orderMetadata } from '@vestibule/metadata';
import { type ClientId, nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { blockedClientRefusal } from '../blocks/blocked-client.js';
import { isClientExpired } from '../client-expiry.js';
import { acceptRegistration, type RegisterClientInput } from './accept-registration.js';
import { identifierRefusal, noRoomRefusal, openClientCap, softwareOf } from './register-client.js';
import type { RegistrationDeps } from './registration-deps.js';
import { replayResponse } from './repeatable-request.js';
import { sharedDigest } from './shared-client.js';

/**
 * Checks a request to register exactly as {@link registerClient} does, including the limit by software, the cap on
 * unused open registrations and the blocks of operators, and changes nothing: no client, no credential, nothing counted,
 * consumed or stored under an idempotency key. If the key stands for an earlier registration, returns that one, as the
 * request would, and so for a client that identical registrations share. A request that passes can still fail later if
 * something changes in between.
 * @throws DomainError as `registerClient` does.
 */
export async function dryRunRegistration(
  deps: RegistrationDeps,
  input: RegisterClientInput,
): Promise<EffectiveRegistration> {
  const { repeatable } = input.authority;
  if (repeatable?.earlier !== undefined) {
    const { information } = await replayResponse(deps, repeatable.earlier, input.body);
    return withoutIssued(information);
  }
  const accepted = await acceptRegistration(deps, input);
  const { request, metadata } = accepted;
  await deps.limits?.checkSoftware(input.authority, softwareOf(accepted));
  const { preferredId: id, data } = request;
  const shared = sharedDigest(deps, accepted);
  const present = shared && (await deps.clients.findShared(shared));
  if (present !== undefined && !isClientExpired(present, nowSeconds(deps.clock)))
    return effectiveRegistration({ id: present.id, metadata });
  if (id !== undefined && (await deps.clients.find(id)) !== undefined) throw identifierRefusal();
  const cap = openClientCap(deps, input.authority);
  if (cap !== undefined && !(await deps.clients.hasRoom(cap))) throw noRoomRefusal();
  if (await deps.clients.isBlocked({ ...(id !== undefined && { id }), metadata }))
    throw blockedClientRefusal();
  return effectiveRegistration({ id, metadata, data });
}

/** Members of client information that a registration issues, except the identifier of an existing client. */
const ISSUED: readonly string[] = [
  'client_id_issued_at',
  'client_secret',
  'client_secret_expires_at',
  'registration_client_uri',
  'registration_access_token',
  'expires_at',
];

function withoutIssued(information: JsonObject): EffectiveRegistration {
  return Object.fromEntries(Object.entries(information).filter(([name]) => !ISSUED.includes(name)));
}

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
