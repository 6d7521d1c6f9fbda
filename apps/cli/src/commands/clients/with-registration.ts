import { composeRegistration, type RegistrationServiceDeps } from '@vestibule/registration';
import { RegistrationServiceSettings } from '@vestibule/registration/config';
import { loadSettings } from '@vestibule/service-kit/settings';
import type { Cli } from '../../frame/cli.js';
import { withStore } from '../../installation/with-store.js';

/** What the operations on clients take, as the registration service has it but for its limits on strangers. */
export type OperatorDeps = Omit<RegistrationServiceDeps, 'limits'>;

/** Opens the installation for one operation on clients, under the settings of the registration service. */
export async function withRegistration<Result>(
  cli: Pick<Cli, 'environment'>,
  operate: (deps: OperatorDeps) => Promise<Result>,
): Promise<Result> {
  return withStore(cli, async ({ store, environment }) => {
    const { limits: _, ...deps } = composeRegistration(
      loadSettings(RegistrationServiceSettings, environment),
      store,
    );
    return operate(deps);
  });
}
