import type { ClientMetadata } from '@vestibule/metadata';
import {
  OPEN_RIGHTS,
  type RegistrationRights,
  subtractRegistrationRights,
  uniteRegistrationRights,
} from '@vestibule/scopes';
import type { Client } from '../client.js';
import { type RequestedRegistration, rightsCovering } from './check-rights.js';
import type { RegistrationAuthority } from './registration-authority.js';

/**
 * The rights of a new client. With an initial access token they are the token's. A client registered by an operator
 * gets what its registration uses in addition to the rights of open registration, and no right to change `data`.
 */
export function rightsAtRegistration(
  { kind, rights }: RegistrationAuthority,
  metadata: ClientMetadata,
): RegistrationRights {
  return kind === 'master' || kind === 'operator' ? rightsInUse(metadata) : rights;
}

/**
 * The rights that limit a client's updates with its own registration access token. Unlimited rights count only if an
 * initial access token gave them: in earlier versions, clients registered with the master token had them too.
 */
export function rightsOfClient({ rights, registrar, metadata }: Client): RegistrationRights {
  const isUnlimited = rights.grantTypes === 'any';
  return isUnlimited && registrar !== 'initial_access_token' ? rightsInUse(metadata) : rights;
}

/**
 * The rights of a client after an update with the master token. The client can keep what the update adds and cannot put
 * back what it removes; rights that neither registration uses stay. Setting `data` gives no right to change it.
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
