import { openRegistration } from '../contestants/registration-traffic.js';
import { federationScene } from '../stage/federation-scene.js';
import { introspectionScene } from '../stage/introspection-scene.js';
import { REGISTRATION_PATH } from '../stage/registered-client.js';
import { registrationScene } from '../stage/registration-scene.js';
import type { Stage } from '../stage/stage.js';
import { clientListWorkload } from './client-list.js';
import { federationHostileWorkload } from './federation-hostile.js';
import { federationRegistrationWorkload } from './federation-registration.js';
import { federationValidationWorkload } from './federation-validation.js';
import { growthWorkload } from './growth.js';
import { halfLoadWorkloads } from './half-load.js';
import { introspectionWorkloads } from './introspection.js';
import { introspectionBesideFederationWorkload } from './introspection-beside-federation.js';
import { kneeWorkloads } from './knee.js';
import { logoutDeliveriesWorkload } from './logout-deliveries.js';
import { logoutPageWorkload } from './logout-page.js';
import { coldStartWorkload, memoryWorkload } from './process-figures.js';
import { registrationWorkloads } from './registration.js';
import { signedAnswerWorkloads } from './signed-answers.js';
import type { Workload } from './workload.js';

/** Every workload, in the order of the report. Nothing is started before one is run. */
export function allWorkloads(stage: Stage): readonly Workload[] {
  const introspection = introspectionScene(stage);
  const registration = registrationScene(stage, openRegistration(REGISTRATION_PATH));
  const federation = federationScene(stage);
  return [
    ...introspectionWorkloads(stage, introspection),
    ...signedAnswerWorkloads(stage, introspection),
    ...registrationWorkloads(stage, registration),
    ...halfLoadWorkloads(stage, introspection, registration),
    ...kneeWorkloads(stage, introspection, registration),
    clientListWorkload(stage),
    logoutPageWorkload(stage),
    logoutDeliveriesWorkload(stage),
    federationRegistrationWorkload(stage, federation),
    federationValidationWorkload(stage),
    federationHostileWorkload(stage, federation),
    introspectionBesideFederationWorkload(stage, introspection, federation),
    coldStartWorkload(stage, introspection),
    memoryWorkload(stage, introspection, registration),
    growthWorkload(stage),
  ];
}
