/** The parts of a request that can carry the credentials of a client; all of them unverified. */
export interface CredentialRequest {
  /** The `Authorization` header; absent when the request has none. */
  readonly authorization?: string | undefined;
  /** The form parameters that name a client or prove it (RFC 6749 section 2.3.1, RFC 7521 section 4.2). */
  readonly form: CredentialParameters;
}

/** The form parameters of client authentication. */
export interface CredentialParameters {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  readonly client_assertion_type?: string | undefined;
  readonly client_assertion?: string | undefined;
}

/** Where a credential stands in a request. */
export type CredentialPlace = 'authorization_header' | 'client_secret' | 'client_assertion';

/** Every place of the request that holds a credential, whether or not it is a good one (RFC 6749 section 2.3). */
export function credentialPlaces({ authorization, form }: CredentialRequest): readonly CredentialPlace[] {
  const places: CredentialPlace[] = [];
  if (authorization !== undefined) places.push('authorization_header');
  if (form.client_secret !== undefined) places.push('client_secret');
  if (form.client_assertion !== undefined || form.client_assertion_type !== undefined)
    places.push('client_assertion');
  return places;
}
