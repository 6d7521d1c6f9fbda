import { acceptRegistration, type RegisterClientInput } from './accept-registration.js';
import { type EffectiveRegistration, effectiveRegistration } from './effective-registration.js';
import { identifierRefusal } from './register-client.js';
import type { RegistrationDeps } from './registration-deps.js';

/**
 * Judges a request to register exactly as {@link registerClient} does, and does nothing: no client, no credential,
 * nothing spent. What succeeds here can fail there when something changes in between.
 * @throws DomainError as `registerClient` does.
 */
export async function rehearseRegistration(
  deps: RegistrationDeps,
  input: RegisterClientInput,
): Promise<EffectiveRegistration> {
  const { request, metadata } = await acceptRegistration(deps, input);
  const { preferredId: id, data } = request;
  if (id !== undefined && (await deps.clients.find(id)) !== undefined) throw identifierRefusal();
  return effectiveRegistration({ id, metadata, data });
}
