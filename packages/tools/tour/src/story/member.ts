import type { DemoApplication } from '../demo/demo-application.js';
import type { RelyingParty } from '../demo/relying-party.js';
import type { RegisteredClient } from './register.js';

/** A demo application with its registration and its credentials. */
export interface Member {
  readonly application: DemoApplication;
  readonly client: RegisteredClient;
  readonly party: RelyingParty;
  /** Whether the stack notifies it of logouts by the back channel. */
  readonly isNotified: boolean;
}
