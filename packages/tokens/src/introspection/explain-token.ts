import { nowSeconds } from '@vestibule/protocol';
import { whyUntimely } from '../inactive-reason.js';
import { readSelfContained } from '../self-contained-token.js';
import type { TokenStateDeps } from '../token-state.js';
import type { InactiveCause, InactiveTokenRecords } from './inactive-cause.js';
import { inspectToken, type TokenInspection } from './inspect-token.js';

/** A token as {@link inspectToken} sees it, and why it is not active as far as the stores know. */
export interface TokenExplanation extends TokenInspection {
  /** Empty for an active token, if the reason says everything, and if nothing more is known. */
  readonly causes: readonly InactiveCause[];
}

/** Dependencies of {@link explainToken}. */
export interface TokenExplanationDeps extends TokenStateDeps {
  readonly inactiveTokens: InactiveTokenRecords;
}

/**
 * Explains a token to an operator: like {@link inspectToken}, and for a token that is unknown or revoked it reads what is
 * still stored about that. A token whose client is not active has its state then. Rejects when a store fails.
 */
export async function explainToken(deps: TokenExplanationDeps, text: string): Promise<TokenExplanation> {
  const inspection = await inspectToken(deps, text);
  if (inspection.reason === 'unknown') return explainUnknown(deps, text, inspection);
  if (inspection.reason !== 'revoked') return { ...inspection, causes: [] };
  const token = await readSelfContained(deps, text);
  const causes = token === undefined ? [] : await deps.inactiveTokens.ofSelfContained(token);
  return { ...inspection, causes };
}

async function explainUnknown(
  { digester, inactiveTokens, clock }: TokenExplanationDeps,
  text: string,
  inspection: TokenInspection,
): Promise<TokenExplanation> {
  const now = nowSeconds(clock);
  const { availableDigests } = digester;
  const digests = {
    access: availableDigests('access-token', text),
    refresh: availableDigests('refresh-token', text),
    initial: availableDigests('initial-access-token', text),
  };
  const { token, causes } = await inactiveTokens.ofIdentifier(digests, now);
  if (token === undefined) return { ...inspection, causes };
  const untimely = whyUntimely(token, now);
  return {
    ...inspection,
    ...(untimely !== undefined && { reason: untimely }),
    state: { format: 'identifier', token },
    causes,
  };
}
