import type { CommonMessages } from '@vestibule/http/pages';

/** The sentences of the logout pages. `{provider}`, `{client}` and `{account}` stand for names. */
export interface LogoutMessages {
  /** The question without a client, and with the client that sent the end-user. */
  readonly question: string;
  readonly questionWithClient: string;
  readonly sentByClient: string;
  readonly consequence: string;
  readonly accept: string;
  /** If nothing ends; if the session ends at the client alone. */
  readonly decline: string;
  readonly declineWithClient: string;
  readonly anotherLogin: string;
  readonly badHint: string;
  /** If the request does not prove the client; if the client did not register the address. */
  readonly redirectRefused: string;
  readonly redirectNotRegistered: string;
  readonly answeredBefore: string;
  readonly questionChanged: string;
  readonly endedTitle: string;
  readonly ended: string;
  /** If the session goes on: nothing ended, or it ended at one client. */
  readonly stillTitle: string;
  readonly kept: string;
  readonly left: string;
  readonly notLoggedInTitle: string;
  readonly notLoggedIn: string;
  /** While the page waits for clients. */
  readonly asking: string;
  /** The result, and from the beginning without script: the clients were asked, no more is known. */
  readonly asked: string;
  readonly someFailed: string;
  readonly allConfirmed: string;
  /** The state of one client. */
  readonly waiting: string;
  readonly notified: string;
  readonly confirmed: string;
  readonly retrying: string;
  readonly failed: string;
  readonly oneMoreStepTitle: string;
  readonly oneMoreStep: string;
  readonly badRequest: string;
  readonly fault: string;
  readonly tryAgain: string;
}

/** Every sentence of the logout pages. */
export type Messages = LogoutMessages & CommonMessages;
