/** The scope values of OpenID Connect (OpenID Connect Core 1.0 sections 3.1.2.1, 5.4 and 11). */
export const OPENID_SCOPES: readonly string[] = [
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
];
