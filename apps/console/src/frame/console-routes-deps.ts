import type { ConsoleSessions } from '../login/console-sessions.js';
import type { Operator } from './operator.js';
import type { RefusedAction } from './required-role.js';

/** Dependencies of the pages and actions of the console. */
export interface ConsoleRoutesDeps {
  readonly sessions: ConsoleSessions;
  /** Origin of the console, as browsers see it. */
  readonly origin: string;
  /** Records a request for which the role of the operator does not suffice. */
  readonly recordRefusal: (refusal: RefusedAction) => Promise<void>;
  /**
   * Counts a page that a person opens.
   * @throws ThrottledError if there are too many
   */
  readonly admitPage: (operator: Operator) => Promise<void>;
  /**
   * Counts an action of a person.
   * @throws ThrottledError if there are too many
   */
  readonly admitAction: (operator: Operator) => Promise<void>;
}
