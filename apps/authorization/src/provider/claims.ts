// Any client may request them: they give claims about the end-user, who consents, and no other access.
export { OPENID_SCOPES } from '@vestibule/protocol/constants';

/** Prefix of claims that are requested for an access token, for resource servers (introspection/API.md#response). */
export const TOKEN_CLAIM_PREFIX = 'access_token:';

/** The claims of each scope value (OpenID Connect Core section 5.4). */
const SCOPE_CLAIMS = {
  openid: ['sub'],
  profile: [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
} as const;

/** The standard claims about end-users, without `sub`. */
export const USER_CLAIMS: readonly string[] = Object.values(SCOPE_CLAIMS)
  .flat()
  .filter((name) => name !== 'sub');

/** The claims about end-users, and those about the login: `acr` if logins have classes. */
export function supportedClaims(acrValues: readonly string[]): readonly string[] {
  const ofLogin = acrValues.length === 0 ? ['auth_time'] : ['auth_time', 'acr'];
  return ['sub', 'iss', ...ofLogin, 'sid', ...USER_CLAIMS];
}

/** The claims that the library accepts: by scope value, alone, and for access tokens. */
export const CLAIMS = {
  ...SCOPE_CLAIMS,
  iss: null,
  auth_time: null,
  acr: null,
  sid: null,
  ...Object.fromEntries(USER_CLAIMS.map((name) => [TOKEN_CLAIM_PREFIX + name, null])),
};
