import {
  KeyEncryptionError,
  type KeyEncryptionKeys,
  parseKeyEncryptionKeys,
} from '@vestibule/crypto/data-keys';
import { type Issuer, isPlainPath, parseIssuer } from '@vestibule/protocol';
import {
  ASYMMETRIC_ALGORITHMS,
  type AsymmetricAlgorithm,
  ENDPOINT_PATH,
} from '@vestibule/protocol/constants';
import { configurationProblems, type ReplacingEndpoints } from './configuration-problems.js';
import { JoinError } from './join-error.js';
import type { JoinableProvider, JoinOptions } from './join-options.js';
import type { LibraryConfiguration } from './library-configuration.js';
import { logoutPathProblems } from './logout-path-problems.js';
import { discoveryProblems } from './published-members.js';

/** Options that can be used. */
export interface CheckedOptions {
  readonly issuer: Issuer;
  readonly databaseUrl: string;
  readonly encryptionKeys: KeyEncryptionKeys;
  readonly signingAlgorithms: readonly AsymmetricAlgorithm[];
  readonly configuration: LibraryConfiguration;
  readonly endpoints: ReplacingEndpoints;
  /** Path of the logout page below the issuer. */
  readonly logoutPath: string;
}

/** The algorithm of ID tokens of clients that registered none. */
function idTokenAlgorithm({ clientDefaults }: LibraryConfiguration): AsymmetricAlgorithm {
  const wanted = clientDefaults?.id_token_signed_response_alg;
  return ASYMMETRIC_ALGORITHMS.find((name) => name === wanted) ?? 'RS256';
}

/**
 * Checks the options before anything is opened.
 * @throws JoinError with every problem at once, which quotes no secret
 */
export function checkOptions<Configuration extends object, Instance extends JoinableProvider>({
  issuer: issuerText,
  databaseUrl,
  encryptionKeys: keysText,
  configuration,
  logoutPath = ENDPOINT_PATH.logout,
  signingAlgorithms = [idTokenAlgorithm(configuration)],
}: JoinOptions<Configuration, Instance>): CheckedOptions {
  const issuer = read('issuer', 'Set it to BASE_URL of the services.', () => parseIssuer(issuerText));
  const encryptionKeys = read('encryptionKeys', 'Set it to ENCRYPTION_KEYS of the services.', () =>
    // Callers without types may pass an environment variable that is not set.
    parseKeyEncryptionKeys((keysText as string | undefined) ?? ''),
  );
  const endpoints = endpointsOf(
    'problem' in issuer ? PLACEHOLDER : issuer.value,
    isPlainPath(logoutPath) ? logoutPath : ENDPOINT_PATH.logout,
  );
  const problems = [
    ...('problem' in issuer ? [issuer.problem] : []),
    ...(isPostgresUrl(databaseUrl)
      ? []
      : ['databaseUrl: must be a postgres:// URL. Set it to DATABASE_URL of the services.']),
    ...('problem' in encryptionKeys ? [encryptionKeys.problem] : []),
    ...logoutPathProblems(logoutPath, configuration),
    ...configurationProblems(configuration, endpoints),
    ...discoveryProblems(configuration, endpoints),
  ];
  if ('problem' in issuer || 'problem' in encryptionKeys || problems.length > 0)
    throw new JoinError(problems);
  return {
    issuer: issuer.value,
    databaseUrl,
    encryptionKeys: encryptionKeys.value,
    signingAlgorithms,
    configuration,
    endpoints,
    logoutPath,
  };
}

/** Stands for an issuer that cannot be used, so that all other problems can be reported with it. */
const PLACEHOLDER = 'https://issuer.invalid';

/** Reads an option with a parser whose errors name a rule and quote no value. */
function read<Value>(name: string, remedy: string, parse: () => Value) {
  try {
    return { value: parse() };
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof KeyEncryptionError)) throw error;
    const reason = 'code' in error ? 'must be an absolute URL' : error.message;
    return { problem: `${name}: ${reason}. ${remedy}` };
  }
}

function endpointsOf(base: string, logoutPath: string): ReplacingEndpoints {
  return {
    registration: base + ENDPOINT_PATH.registration,
    introspection: base + ENDPOINT_PATH.introspection,
    logout: base + logoutPath,
  };
}

function isPostgresUrl(text: unknown): boolean {
  return typeof text === 'string' && /^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text);
}
