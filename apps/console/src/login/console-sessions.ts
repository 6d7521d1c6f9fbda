import type { Request } from '@vestibule/http';
import type { Operator } from '../frame/operator.js';
import type { SessionContent, SessionCookie } from './session-cookie.js';
import type { SessionEnds } from './session-ends.js';

/** The session of a person in the console. */
export interface ConsoleSession {
  readonly operator: Operator;
  /** The value that each form of this session carries. */
  readonly formToken: string;
  /** Everything that its cookie carries. */
  readonly content: SessionContent;
}

/** The sessions of the console, as pages and actions see them. */
export interface ConsoleSessions {
  /**
   * Finds the session of a request; `undefined` if there is none, or if it has ended.
   * @throws Error the reason, if that cannot be known: such a session must not be taken for a live one
   */
  find(request: Request): Promise<ConsoleSession | undefined>;
}

/**
 * Creates the sessions that the cookie carries.
 * @param onProblem called if sessions cannot be checked, for the log
 */
export function consoleSessions(
  cookie: Pick<SessionCookie, 'read'>,
  ends: Pick<SessionEnds, 'hasEnded'>,
  onProblem: (error: unknown) => void,
): ConsoleSessions {
  const live = async (request: Request): Promise<SessionContent | undefined> => {
    const content = await cookie.read(request);
    return content !== undefined && !(await ends.hasEnded(content)) ? content : undefined;
  };
  return {
    find: async (request) => {
      try {
        const content = await live(request);
        return content && { operator: content.operator, formToken: content.formToken, content };
      } catch (error) {
        onProblem(error);
        throw error;
      }
    },
  };
}
