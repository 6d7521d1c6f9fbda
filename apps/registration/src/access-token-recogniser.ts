import type { AccessTokenRecogniser } from '@vestibule/clients/registration';
import { readLiveToken, type TokenStateDeps } from '@vestibule/tokens';

/** Recognizes live access tokens of both formats. */
export function accessTokenRecogniser(deps: TokenStateDeps): AccessTokenRecogniser {
  return { isAccessToken: async (token) => (await readLiveToken(deps, token)) !== undefined };
}
