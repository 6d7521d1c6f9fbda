/** Reasons of failed client authentication, as metric labels. */
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
 * Why client authentication failed, and who learns it:
 *
 * 1. Checks that need no client are explained to every caller: the form of the request, and the claims of an assertion
 * against the settings. They are the same whether or not the client exists.
 * 2. Checks that depend on the client are explained if the caller has proved the client's secret or key and the client
 * is active: the audience for federated clients, a used `jti`, the registered authentication method.
 * 3. Everything else has no description and looks the same: unknown clients, wrong and expired secrets, invalid
 * signatures, inactive clients.
 */
export interface ClientRefusal {
  readonly reason: RefusalReason;
  /** For the log: what failed, with the responsible setting. */
  readonly detail: string;
  /**
   * For the caller: which value is wrong and what is expected, in the characters of `error_description`. Quotes nothing
   * from the request. Absent if the caller must not learn it.
   */
  readonly description?: string;
}

/** Builds a refusal that is explained only in the log. */
export function undisclosedRefusal(detail: string): ClientRefusal {
  return { reason: 'credential', detail };
}

/** Builds such a refusal from an optional detail. */
export function undisclosedRefusalOf(detail: string | undefined): ClientRefusal | undefined {
  return detail === undefined ? undefined : undisclosedRefusal(detail);
}
