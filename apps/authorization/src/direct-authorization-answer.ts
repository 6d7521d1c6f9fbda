import type { JsonObject } from '@vestibule/protocol';

/** What the endpoint answers (RFC 6749 section 5.1). Holds credentials. */
export type DirectAuthorizationAnswer = JsonObject & {
  readonly access_token: string;
  readonly token_type: string;
  /** Seconds. */
  readonly expires_in: number;
  readonly scope: string;
};
