import type { JsonObject } from '@vestibule/protocol/json';

/** `updated_at` of the claims (2026-01-01). */
const UPDATED_AT = 1_767_225_600;

/**
 * Every standard claim of OpenID Connect Core section 5.1 except `sub`, for a fictional person. Hosts are reserved for
 * examples (RFC 2606), and the telephone number for fiction.
 */
export function demoClaims(username: string): JsonObject {
  const [first = username] = username.split('@');
  const given = first.charAt(0).toUpperCase() + first.slice(1);
  return {
    name: `${given} Quinn Example`,
    given_name: given,
    middle_name: 'Quinn',
    family_name: 'Example',
    nickname: first,
    preferred_username: username,
    profile: `https://example.com/people/${first}`,
    picture: `https://example.com/people/${first}/picture.png`,
    website: `https://www.example.org/${first}`,
    gender: 'unspecified',
    birthdate: '1990-01-31',
    zoneinfo: 'America/New_York',
    locale: 'en-US',
    updated_at: UPDATED_AT,
    email: `${first}@example.com`,
    email_verified: true,
    address: ADDRESS,
    phone_number: '+12025550142',
    phone_number_verified: true,
  };
}

const ADDRESS = {
  formatted: '1 Example Street\nExampleville, EX 00000\nUS',
  street_address: '1 Example Street',
  locality: 'Exampleville',
  region: 'EX',
  postal_code: '00000',
  country: 'US',
};
