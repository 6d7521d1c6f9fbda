import type { Issuer } from '@vestibule/protocol';
import { Provider } from 'oidc-provider';
import { JoinError } from './join-error.js';
import type { JoinableProvider, JoinOptions } from './join-options.js';

/**
 * Calls `createProvider`, and checks what it returns.
 * @throws JoinError if it is not a provider of this issuer
 */
export function createChecked<Configuration extends object, Instance extends JoinableProvider>(
  createProvider: JoinOptions<Configuration, Instance>['createProvider'],
  configuration: Configuration,
  issuer: Issuer,
): Instance & Provider {
  const provider: unknown = createProvider(configuration);
  if (provider instanceof Promise)
    throw new JoinError([
      'createProvider: must return the Provider itself, and not a promise. Do what is asynchronous before joinProvider.',
    ]);
  if (!(provider instanceof Provider))
    throw new JoinError([
      'createProvider: must return a Provider of the copy of oidc-provider that this package uses. If it does, two copies are installed: `npm ls oidc-provider` shows them.',
    ]);
  if (provider.issuer !== issuer)
    throw new JoinError([
      `issuer: is ${issuer}, but the provider has the issuer ${provider.issuer}. Use the same, without a slash at the end.`,
    ]);
  // It is what the function of the team returns.
  return provider as Instance & Provider;
}
