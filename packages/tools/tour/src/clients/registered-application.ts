import type { DemoApplication } from '../demo/demo-application.js';
import type { RelyingParty } from '../demo/relying-party.js';
import type { RegisteredClient } from './register.js';

/** A demo application with its registration and credentials. */
export interface RegisteredApplication {
  readonly application: DemoApplication;
  readonly client: RegisteredClient;
  readonly party: RelyingParty;
  /** Whether the stack sends it back-channel logout notifications. */
  readonly isNotified: boolean;
}
