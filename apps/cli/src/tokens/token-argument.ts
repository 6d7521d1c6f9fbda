import type { Issuer } from '@vestibule/protocol';
import { type Environment, loadSettings, SHARED_SETTINGS } from '@vestibule/service/settings';
import { JWT_MAX_LENGTH } from '@vestibule/tokens';
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

const IssuerSettings = Type.Object({ BASE_URL: SHARED_SETTINGS.BASE_URL });

/**
 * Returns the issuer.
 * @throws SettingsError
 */
export function issuerOf(environment: Environment): Issuer {
  return loadSettings(IssuerSettings, environment).BASE_URL;
}
