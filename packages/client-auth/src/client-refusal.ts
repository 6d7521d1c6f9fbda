/** Why a client was not authenticated, for metrics: one of few. */
export const REFUSAL_REASONS = [
  'assertion_malformed',
  'assertion_type',
  'assertion_iss',
  'assertion_aud',
  'assertion_exp',
  'assertion_iat',
  'assertion_nbf',
  'assertion_jti',
  'assertion_replayed',
  'auth_method',
  'credential',
] as const;

export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/**
 * Why a client was not authenticated, and who learns it. This is the one rule about what a caller is told:
 *
 * 1. What can be judged without reading a client is told to every caller: the form of the request, and the claims of an
 *    assertion against the settings. It is judged in the same way whether or not the client exists.
 * 2. What depends on the client is told where the caller has proved the client's secret or key, and the client is
 *    active: the audience of clients of federations, a `jti` that was used, the registered authentication method.
 * 3. Everything else has no description, and all of it looks the same: unknown clients, wrong and expired secrets,
 *    signatures that do not verify, clients that are not active.
 */
export interface ClientRefusal {
  readonly reason: RefusalReason;
  /** For the log: what failed, with the setting that decides it. */
  readonly detail: string;
  /**
   * For the caller: which value is wrong and what is expected, in the characters of `error_description`. Repeats nothing
   * from the request. Absent where the caller may not know.
   */
  readonly description?: string;
}

/** A refusal that only the log explains. */
export function undisclosedRefusal(detail: string): ClientRefusal {
  return { reason: 'credential', detail };
}

/** The same for what may be no refusal at all. */
export function undisclosedRefusalOf(detail: string | undefined): ClientRefusal | undefined {
  return detail === undefined ? undefined : undisclosedRefusal(detail);
}
