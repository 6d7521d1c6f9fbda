import type { Store } from '@vestibule/database';
import { composeRegistration, type RegistrationServiceDeps } from '@vestibule/registration';
import { RegistrationServiceSettings } from '@vestibule/registration/config';
import { loadSettings } from '@vestibule/service/settings';
import type { Cli } from '../../frame/cli.js';
import { withStore } from '../../installation/with-store.js';

/** Dependencies of client operations: those of the registration service without its rate limits. */
export type OperatorDeps = Omit<RegistrationServiceDeps, 'limits'>;

/** Opens the installation for a client operation, with the settings of the registration service. */
export async function withRegistration<Result>(
  cli: Pick<Cli, 'environment'>,
  operate: (deps: OperatorDeps, store: Store) => Promise<Result>,
): Promise<Result> {
  return withStore(cli, async ({ store, environment }) => {
    const { limits: _, ...deps } = composeRegistration(
      loadSettings(RegistrationServiceSettings, environment),
      store,
    );
    return operate(deps, store);
  });
}
