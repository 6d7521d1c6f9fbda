import type { KeyObject } from 'node:crypto';
import { randomAlphanumeric } from '@vestibule/crypto';
import { signJwt } from '@vestibule/crypto/jwt';
import { type Clock, nowSeconds } from '@vestibule/protocol';
import { type AsymmetricAlgorithm, JWT_BEARER_ASSERTION_TYPE } from '@vestibule/protocol/constants';

/** How this API authenticates at the authorization server, as its client registered. */
export type ClientCredentials =
  | {
      readonly method: 'client_secret_basic' | 'client_secret_post';
      readonly clientId: string;
      readonly clientSecret: string;
    }
  | {
      readonly method: 'private_key_jwt';
      readonly clientId: string;
      readonly key: KeyObject;
      readonly algorithm: AsymmetricAlgorithm;
      /** `kid` of the key in the registered key set. */
      readonly kid?: string;
    }
  /** The certificate is that of the TLS settings. */
  | { readonly method: 'tls_client_auth' | 'self_signed_tls_client_auth'; readonly clientId: string }
  /** An access token of this API, fetched by the application (RFC 7662 section 2.1). */
  | {
      readonly method: 'access_token';
      readonly clientId: string;
      readonly accessToken: () => Promise<string>;
    };

/** The parts of a request that authenticate its client. */
export interface AuthenticationParts {
  readonly authorization?: string;
  readonly form: Readonly<Record<string, string>>;
}

/** Authenticates each request anew. */
export type ClientAuthentication = () => Promise<AuthenticationParts>;

const ASSERTION_LIFETIME_SECONDS = 60;

/** Creates the authentication with given credentials, for the endpoints of one authorization server. */
export function clientAuthentication(
  credentials: ClientCredentials,
  { issuer, clock }: { readonly issuer: string; readonly clock: Clock },
): ClientAuthentication {
  const { clientId } = credentials;
  switch (credentials.method) {
    case 'client_secret_basic': {
      const authorization = basicAuthorization(clientId, credentials.clientSecret);
      return async () => ({ authorization, form: {} });
    }
    case 'client_secret_post': {
      const form = { client_id: clientId, client_secret: credentials.clientSecret };
      return async () => ({ form });
    }
    case 'private_key_jwt': {
      const { key, algorithm, kid } = credentials;
      const signingKey = { key, algorithm, ...(kid !== undefined && { kid }) };
      return async () => {
        const iat = nowSeconds(clock);
        const exp = iat + ASSERTION_LIFETIME_SECONDS;
        const claims = { iss: clientId, sub: clientId, aud: issuer, jti: randomAlphanumeric(22), iat, exp };
        const assertion = await signJwt({ key: signingKey, typ: 'JWT', claims });
        const form = {
          client_id: clientId,
          client_assertion_type: JWT_BEARER_ASSERTION_TYPE,
          client_assertion: assertion,
        };
        return { form };
      };
    }
    case 'tls_client_auth':
    case 'self_signed_tls_client_auth':
      return async () => ({ form: { client_id: clientId } });
    case 'access_token':
      return async () => ({ authorization: `Bearer ${await credentials.accessToken()}`, form: {} });
  }
}

/** HTTP Basic with both parts form-encoded (RFC 6749 section 2.3.1). */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  const credentials = [clientId, clientSecret].map(formEncode).join(':');
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

function formEncode(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}
