import type { Client, ClientRepository } from '@vestibule/clients';
import type { Store } from '@vestibule/database';
import { oncePerRegistry } from '@vestibule/http/observability';
import type { ErrorCode } from '@vestibule/protocol';
import { Counter, type Registry } from 'prom-client';

const REGISTRANTS = [
  'anonymous',
  'initial_access_token',
  'master_token',
  'metadata_document',
  'federation_explicit',
  'federation_automatic',
] as const;

/** Who registers a client: a closed list, for labels. `anonymous` is a registration without a credential. */
export type Registrant = (typeof REGISTRANTS)[number];

const registeredClients = oncePerRegistry((registry: Registry) => {
  const counter = new Counter({
    name: 'clients_registered_total',
    help: 'New clients by who registered them: `anonymous` without a credential, `initial_access_token`, `master_token`, `metadata_document` (a client ID metadata document), `federation_explicit` or `federation_automatic`.',
    labelNames: ['who'] as const,
    registers: [registry],
  });
  for (const who of REGISTRANTS) counter.inc({ who }, 0);
  return counter;
});

/**
 * A store that counts the clients that it creates by who registers them, in `clients_registered_total` of the registry.
 * Responses with a client that exists already do not count.
 */
export function countingRegistrations(store: Store, registry: Registry): Store {
  const counter = registeredClients(registry);
  const { clients } = store.database;
  const counted: ClientRepository = {
    ...clients,
    create: async (client, terms) => {
      const outcome = await clients.create(client, terms);
      if (outcome === 'created') counter.inc({ who: registrantOf(client) });
      return outcome;
    },
  };
  return { ...store, database: { ...store.database, clients: counted } };
}

function registrantOf({ origin, registrar }: Pick<Client, 'origin' | 'registrar'>): Registrant {
  switch (origin) {
    case 'open_registration':
      return 'anonymous';
    case 'registration':
    case 'import':
      return registrar ?? 'master_token';
    default:
      return origin;
  }
}

/** Who may send a registration request. */
const REQUESTERS = [
  'anonymous',
  'initial_access_token',
  'master_token',
] as const satisfies readonly Registrant[];

/** The codes that unauthenticated callers cause in numbers; they start at zero: the first increment is visible. */
const EXPECTED_CODES: readonly ErrorCode[] = [
  'invalid_client_metadata',
  'invalid_redirect_uri',
  'missing_token',
  'too_many_requests',
];

/** Counts a registration request that was refused after its credential was accepted. */
export type CountRefusedRegistration = (who: (typeof REQUESTERS)[number], code: ErrorCode) => void;

/** Registers `registrations_refused_total`. */
export const refusedRegistrations = oncePerRegistry((registry: Registry): CountRefusedRegistration => {
  const counter = new Counter({
    name: 'registrations_refused_total',
    help: 'Registration requests refused after their credential was accepted, by who registers (`anonymous`, `initial_access_token` or `master_token`) and error code.',
    labelNames: ['who', 'code'] as const,
    registers: [registry],
  });
  for (const who of REQUESTERS) for (const code of EXPECTED_CODES) counter.inc({ who, code }, 0);
  return (who, code) => counter.inc({ who, code });
});
