import type { KeyRing } from '@vestibule/crypto/signing-keys';
import { authorizationServerKeys } from '@vestibule/service';
import { type Environment, loadSettings } from '@vestibule/service/settings';
import {
  AUTHORIZATION_SERVER_SETTINGS,
  checkAuthorizationServerSettings,
  EGRESS_SETTINGS,
  SHARED_SETTINGS,
} from '@vestibule/service/shared-settings';
import { JWT_MAX_LENGTH, type TokenStateDeps } from '@vestibule/tokens';
import Type from 'typebox';
import type { Cli } from '../frame/cli.js';
import { misused } from '../frame/command-failure.js';

/** Reads the token from an argument, or from standard input, where other users of the machine cannot see it. */
export async function tokenOf({ readInput }: Pick<Cli, 'readInput'>, argument?: string): Promise<string> {
  const text = argument === undefined || argument === '-' ? await readInput(JWT_MAX_LENGTH + 2) : argument;
  const token = text.trim();
  if (token === '') throw misused('No token given: pass it as an argument or on standard input.');
  return token;
}

const IssuerSettings = Type.Object({
  BASE_URL: SHARED_SETTINGS.BASE_URL,
  ...AUTHORIZATION_SERVER_SETTINGS,
  ...EGRESS_SETTINGS,
});

/**
 * Returns the issuer, and the keys of the operator's authorization server, which issues tokens of this issuer too.
 * @throws SettingsError
 */
export function issuerOf(
  environment: Environment,
  ours: KeyRing,
): Pick<TokenStateDeps, 'issuer' | 'authorizationServerKeys'> {
  const settings = loadSettings(IssuerSettings, environment, [checkAuthorizationServerSettings]);
  const keys = authorizationServerKeys(settings, ours);
  return { issuer: settings.BASE_URL, ...(keys && { authorizationServerKeys: keys }) };
}
