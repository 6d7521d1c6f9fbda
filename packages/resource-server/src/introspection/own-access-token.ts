import { isJsonObject, parseJson } from '@vestibule/protocol/json';
import type { MonotonicClock } from '@vestibule/protocol/runtime';
import type { HttpClient } from '../http/http-client.js';
import type { ClientAuthentication } from './client-credentials.js';
import { IntrospectionFailure } from './introspection-failure.js';

/** An access token of this API itself. */
export interface OwnAccessToken {
  /** Returns a token, fetched again shortly before it expires. @throws IntrospectionFailure */
  get(): Promise<string>;
  /** Forgets the token, because it was refused. */
  forget(): void;
}

/** Dependencies of {@link ownAccessToken}. */
export interface OwnAccessTokenDeps {
  readonly http: HttpClient;
  readonly endpoint: () => Promise<URL>;
  readonly authentication: ClientAuthentication;
  readonly scope: () => Promise<string>;
  readonly monotonic: MonotonicClock;
  readonly timeoutMs: number;
}

const MAX_BYTES = 65_536;
const LIMITS = { maxDepth: 8, maxMembers: 100 };
/** A token is not used for this part of its lifetime at the end. */
const UNUSED_PART = 0.1;

/** Fetches an access token with the client credentials grant (RFC 6749 section 4.4). */
export function ownAccessToken(deps: OwnAccessTokenDeps): OwnAccessToken {
  let held: { readonly token: string; readonly untilMs: number } | undefined;
  return {
    get: async () => {
      const nowMs = deps.monotonic();
      if (held !== undefined && nowMs < held.untilMs) return held.token;
      const { token, lifetimeSeconds } = await fetchToken(deps);
      held = { token, untilMs: nowMs + lifetimeSeconds * 1_000 * (1 - UNUSED_PART) };
      return token;
    },
    forget: () => {
      held = undefined;
    },
  };
}

async function fetchToken({ http, endpoint, authentication, scope, timeoutMs }: OwnAccessTokenDeps) {
  const { authorization, form } = await authentication();
  const response = await http.send({
    method: 'POST',
    url: await endpoint(),
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(authorization !== undefined && { Authorization: authorization }),
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: await scope(), ...form }).toString(),
    timeoutMs,
    maxBytes: MAX_BYTES,
  });
  const members = response.status === 200 ? parseJson(response.text, LIMITS) : undefined;
  const { access_token: token, expires_in: lifetime = 60 } = isJsonObject(members) ? members : {};
  if (typeof token !== 'string' || typeof lifetime !== 'number')
    throw new IntrospectionFailure('status', `the token endpoint responded with ${response.status}`);
  return { token, lifetimeSeconds: lifetime };
}
