import type { ClientMetadata } from '@vestibule/metadata';
import {
  OPEN_RIGHTS,
  type RegistrationRights,
  subtractRegistrationRights,
  uniteRegistrationRights,
} from '@vestibule/scopes';
import { type RequestedRegistration, rightsCovering } from './check-rights.js';
import type { Client } from './client.js';
import type { RegistrationAuthority } from './registration-authority.js';

/**
 * The rights that a new client gets. With an initial access token they are those of the token. A client that an operator
 * registers gets what its registration uses beside the rights of open registration, and no right to change `data`.
 */
export function rightsAtRegistration(
  { kind, rights }: RegistrationAuthority,
  metadata: ClientMetadata,
): RegistrationRights {
  return kind === 'master' || kind === 'operator' ? rightsInUse(metadata) : rights;
}

/**
 * The rights that bind the updates of a client with its own registration access token. Unlimited rights count only where
 * an initial access token gave them: clients of the master token had them too in earlier versions.
 */
export function rightsOfClient({ rights, registrar, metadata }: Client): RegistrationRights {
  const isUnlimited = rights.grantTypes === 'any';
  return isUnlimited && registrar !== 'initial_access_token' ? rightsInUse(metadata) : rights;
}

/**
 * The rights of a client after an update with the master token. What the update puts into the registration, the client
 * can keep; what it takes out, the client cannot put back; rights that neither registration needs stay. Setting `data`
 * gives no right to change it.
 */
export function rightsAfterOperatorUpdate(client: Client, next: RequestedRegistration): RegistrationRights {
  const rights = rightsOfClient(client);
  const others = subtractRegistrationRights(rights, rightsCovering(client));
  const used = rightsCovering(next);
  return uniteRegistrationRights(others, { ...used, data: used.data && rights.data });
}

function rightsInUse(metadata: ClientMetadata): RegistrationRights {
  return uniteRegistrationRights(OPEN_RIGHTS, rightsCovering({ metadata }));
}
