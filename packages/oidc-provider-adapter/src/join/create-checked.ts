import type { Issuer } from '@vestibule/protocol';
import { Provider } from 'oidc-provider';
import { JoinError } from './join-error.js';
import type { JoinableProvider, JoinOptions } from './join-options.js';

/**
 * Calls `createProvider`, and checks what it returns. An error of the library passes without its cause, which may be a
 * private key.
 * @throws JoinError if it is not a provider of this issuer
 */
export function createChecked<Configuration extends object, Instance extends JoinableProvider>(
  createProvider: JoinOptions<Configuration, Instance>['createProvider'],
  configuration: Configuration,
  issuer: Issuer,
): Instance & Provider {
  const provider = withoutCauses(() => createProvider(configuration));
  if (!(provider instanceof Provider))
    throw new JoinError([
      'createProvider: must return a Provider of the copy of oidc-provider that this package uses. If it does, two copies are installed: `npm ls oidc-provider` shows them.',
    ]);
  if (provider.issuer !== issuer)
    throw new JoinError([
      `issuer: is ${issuer}, but the provider has the issuer ${provider.issuer}. Use the same, without a slash at the end.`,
    ]);
  return provider;
}

function withoutCauses<Result>(create: () => Result): Result {
  try {
    return create();
  } catch (error) {
    if (error instanceof Error) delete error.cause;
    throw error;
  }
}
