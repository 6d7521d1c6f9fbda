import { openRegistration } from '../targets/registration-traffic.js';
import { consoleFixture } from '../test-environment/console-fixture.js';
import { federationFixture } from '../test-environment/federation-fixture.js';
import { introspectionFixture } from '../test-environment/introspection-fixture.js';
import { REGISTRATION_PATH } from '../test-environment/registered-client.js';
import { registrationFixture } from '../test-environment/registration-fixture.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import { changeStreamsWorkload } from './change-streams.js';
import { clientListWorkload } from './client-list.js';
import { consolePagesWorkload } from './console-pages.js';
import { federationHostileWorkload } from './federation-hostile.js';
import { federationRegistrationWorkload } from './federation-registration.js';
import { federationValidationWorkload } from './federation-validation.js';
import { forwardAuthWorkloads } from './forward-auth.js';
import { growthWorkload } from './growth.js';
import { halfLoadWorkloads } from './half-load.js';
import { introspectionWorkloads } from './introspection.js';
import { introspectionBesideConsoleWorkload } from './introspection-beside-console.js';
import { introspectionBesideFederationWorkload } from './introspection-beside-federation.js';
import { kneeWorkloads } from './knee.js';
import { logoutDeliveriesWorkload } from './logout-deliveries.js';
import { logoutPageWorkload } from './logout-page.js';
import { coldStartWorkload, memoryWorkload } from './process-figures.js';
import { registrationWorkloads } from './registration.js';
import { resourceServerMemoryWorkload, resourceServerWorkloads } from './resource-server.js';
import { signedResponseWorkloads } from './signed-responses.js';
import { tokenImportWorkload } from './token-import.js';
import { tokenVerificationWorkload } from './token-verification.js';
import type { Workload } from './workload.js';

/** Every workload, in the order of the report. Nothing is started before one is run. */
export function allWorkloads(testEnvironment: TestEnvironment): readonly Workload[] {
  const introspection = introspectionFixture(testEnvironment);
  const registration = registrationFixture(testEnvironment, openRegistration(REGISTRATION_PATH));
  const federation = federationFixture(testEnvironment);
  const operators = consoleFixture(testEnvironment);
  return [
    ...introspectionWorkloads(testEnvironment, introspection),
    ...signedResponseWorkloads(testEnvironment, introspection),
    ...resourceServerWorkloads(testEnvironment, introspection),
    tokenVerificationWorkload(testEnvironment, introspection),
    resourceServerMemoryWorkload(testEnvironment, introspection),
    ...forwardAuthWorkloads(testEnvironment, introspection),
    ...registrationWorkloads(testEnvironment, registration),
    ...halfLoadWorkloads(testEnvironment, introspection, registration),
    ...kneeWorkloads(testEnvironment, introspection, registration),
    clientListWorkload(testEnvironment),
    consolePagesWorkload(testEnvironment, operators),
    introspectionBesideConsoleWorkload(testEnvironment, operators),
    tokenImportWorkload(testEnvironment),
    changeStreamsWorkload(testEnvironment),
    logoutPageWorkload(testEnvironment),
    logoutDeliveriesWorkload(testEnvironment),
    federationRegistrationWorkload(testEnvironment, federation),
    federationValidationWorkload(testEnvironment),
    federationHostileWorkload(testEnvironment, federation),
    introspectionBesideFederationWorkload(testEnvironment, introspection, federation),
    coldStartWorkload(testEnvironment, introspection),
    memoryWorkload(testEnvironment, introspection, registration),
    growthWorkload(testEnvironment),
  ];
}
