import { composeFederation, type Federation } from '@vestibule/federation-service';
import { loadFederationConfig } from '@vestibule/federation-service/config';
import type { Cli } from '../../frame/cli.js';
import { misused } from '../../frame/command-failure.js';
import { withStore } from '../../installation/with-store.js';

/** Opens the installation for a federation operation, with the settings of the federation service. */
export async function withFederation<Result>(
  cli: Pick<Cli, 'environment'>,
  operate: (federation: Federation) => Promise<Result>,
): Promise<Result> {
  return withStore(cli, async ({ store, environment }) => {
    const { federation } = composeFederation(loadFederationConfig(environment), store);
    if (federation === undefined) throw misused('Federation is not enabled: set FEDERATION_ENABLED.');
    return operate(federation);
  });
}
