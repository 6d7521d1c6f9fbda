import type { Client } from '@vestibule/clients';
import { type ClientId, type EpochSeconds, epochSeconds, parseClientId } from '@vestibule/protocol';
import type { AccessToken } from '@vestibule/tokens';

/** The issue time of built objects: that of the frozen clock, 2026-06-01 at noon. */
export const TEST_NOW: EpochSeconds = epochSeconds(Date.UTC(2026, 5, 1, 12) / 1000);

const TEN_MINUTES_S = 600;

/** Parses a client identifier. @throws TypeError when it is invalid */
export function aClientId(text: string): ClientId {
  const id = parseClientId(text);
  if (id === undefined) throw new TypeError('not a client identifier');
  return id;
}

/** Deviations of a test client; metadata members are replaced one by one. */
export type ClientDeviations = Partial<Omit<Client, 'metadata'>> & {
  readonly metadata?: Partial<Client['metadata']>;
};

/** A registered web client for the authorization code grant, with neither secret nor registration token, as stored. */
export function aClient({ metadata, ...deviations }: ClientDeviations = {}): Client {
  const stored = {
    redirect_uris: ['https://client.example/callback'],
    response_types: ['code'],
    grant_types: ['authorization_code'],
    application_type: 'web',
    token_endpoint_auth_method: 'client_secret_basic',
    subject_type: 'public',
    id_token_signed_response_alg: 'RS256',
    ...metadata,
  };
  return {
    id: aClientId('client'),
    // A store returns metadata unchanged; the rules for it have separate tests.
    metadata: stored as Client['metadata'],
    grantedScopes: {
      grantTypes: new Set(),
      scopeValues: new Set(),
      data: false,
      setId: false,
      setSecret: false,
    },
    origin: 'registration',
    status: 'active',
    issuedAt: TEST_NOW,
    updatedAt: TEST_NOW,
    version: 1,
    ...deviations,
  };
}

/** A live identifier-based access token of `aClient`, for any resource server, that expires in ten minutes. */
export function anAccessToken(deviations: Partial<AccessToken> = {}): AccessToken {
  return {
    clientId: aClientId('client'),
    scope: 'read write',
    audience: [],
    issuer: 'https://server.example',
    issuedAt: TEST_NOW,
    expiresAt: epochSeconds(TEST_NOW + TEN_MINUTES_S),
    subject: 'alice',
    ...deviations,
  };
}
