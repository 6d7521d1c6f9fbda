import type { JsonObject } from '@vestibule/protocol';
import { acceptRegistration, type RegisterClientInput } from './accept-registration.js';
import { type EffectiveRegistration, effectiveRegistration } from './effective-registration.js';
import { creationTerms, identifierRefusal, noRoomRefusal, softwareOf } from './register-client.js';
import type { RegistrationDeps } from './registration-deps.js';
import { replayResponse } from './repeatable-request.js';

/**
 * Judges a request to register exactly as {@link registerClient} does, the limit by software and the cap on unused open
 * registrations included, and does nothing: no client, no credential, nothing counted, nothing spent, nothing remembered
 * under an idempotency key. Where the key stands for an earlier registration, that one is shown, which the request would
 * be answered with. What succeeds here can fail there when something changes in between.
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
  if (id !== undefined && (await deps.clients.find(id)) !== undefined) throw identifierRefusal();
  const { unusedClientCap: cap } = creationTerms(deps, input.authority);
  if (cap !== undefined && !(await deps.clients.hasRoom(cap))) throw noRoomRefusal();
  return effectiveRegistration({ id, metadata, data });
}

/** Members of client information that a registration issues; the identifier of an earlier one is known. */
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
