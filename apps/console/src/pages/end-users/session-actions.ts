import { html } from '@vestibule/http/pages';
import { DomainError, type EpochSeconds, epochSeconds, nowSeconds } from '@vestibule/protocol';
import { revokeSubject } from '@vestibule/tokens/revocation';
import { Type } from 'typebox';
import { type ConfirmedDefinition, confirmedAction } from '../../frame/confirmed-action.js';
import { type ConsoleRoute, consoleAction } from '../../frame/console-route.js';
import { shownText } from '../../frame/shown-text.js';
import type { Visit } from '../../frame/visit.js';
import { END_USERS_PATH, endUserAddress, SESSION_PATH, sessionAddress } from './end-users-addresses.js';
import type { EndUsersPagesDeps } from './end-users-deps.js';

const SessionForm = Type.Object({ session: Type.Optional(Type.String()) });
const SubjectForm = Type.Object({ subject: Type.Optional(Type.String()) });

/** The actions that end sessions, and revoke what belongs to a session or an end-user. */
export function sessionActions(deps: EndUsersPagesDeps): readonly ConsoleRoute[] {
  return [endSession(deps), revokeSession(deps), ...endSessions(deps), ...revokeEverything(deps)];
}

function endSession(deps: EndUsersPagesDeps): ConsoleRoute {
  return consoleAction({
    path: `${SESSION_PATH}/end`,
    role: 'operator',
    form: SessionForm,
    perform: async (visit, { session }) => {
      const id = required(session, 'session');
      const { sessions } = recorded(deps, visit);
      if (!(await sessions.end(id, await timeOf(deps))))
        throw new DomainError('not_found', 'There is no such session. It may have ended in the meantime.');
      return { goTo: END_USERS_PATH, notice: 'ended' };
    },
  });
}

function revokeSession(deps: EndUsersPagesDeps): ConsoleRoute {
  return consoleAction({
    path: `${SESSION_PATH}/revoke`,
    role: 'operator',
    form: SessionForm,
    perform: async (visit, { session }) => {
      const id = required(session, 'session');
      await recorded(deps, visit).revocations.revokeSession(id, nowSeconds(deps.store.clock));
      return { goTo: sessionAddress(id), notice: 'tokens-revoked' };
    },
  });
}

function endSessions(deps: EndUsersPagesDeps): readonly ConsoleRoute[] {
  return aboutEndUser({
    path: `${END_USERS_PATH}/end-sessions`,
    title: 'End all sessions of an end-user',
    sentence:
      'The tokens that end with a session are revoked, and the applications of the sessions are notified. Tokens that outlive their session stay active.',
    button: 'End all sessions',
    perform: async (visit, subject) => {
      await recorded(deps, visit).sessions.endOfSubject(subject, await timeOf(deps));
      return { goTo: endUserAddress(subject), notice: 'all-ended' };
    },
  });
}

function revokeEverything(deps: EndUsersPagesDeps): readonly ConsoleRoute[] {
  return aboutEndUser({
    path: `${END_USERS_PATH}/revoke`,
    title: 'Revoke everything of an end-user',
    sentence:
      'Every session ends, every token and authorization is revoked, and the applications of the sessions are notified.',
    button: 'Revoke everything',
    perform: async (visit, subject) => {
      const { revocations, sessions } = recorded(deps, visit);
      await revokeSubject({ revocations, sessions }, subject, nowSeconds(deps.store.clock));
      return { goTo: endUserAddress(subject), notice: 'revoked' };
    },
  });
}

interface EndUserAction {
  readonly path: string;
  readonly title: string;
  readonly sentence: string;
  readonly button: string;
  readonly perform: (
    visit: Visit,
    subject: string,
  ) => ReturnType<ConfirmedDefinition<typeof SubjectForm>['perform']>;
}

function aboutEndUser({ path, title, sentence, button, perform }: EndUserAction): readonly ConsoleRoute[] {
  return confirmedAction({
    path,
    role: 'admin',
    fields: SubjectForm,
    describe: async (_visit, { subject }) => {
      const word = required(subject, 'subject');
      return {
        title,
        content: html`<p>The end-user is <code>${shownText(word)}</code>. ${sentence}</p>`,
        word,
        button,
        hidden: { subject: word },
      };
    },
    perform: (visit, { subject }) => perform(visit, required(subject, 'subject')),
  });
}

function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new DomainError('invalid_request', `${name}: is missing`);
  return value;
}

function recorded({ store: { database, clock } }: EndUsersPagesDeps, { operator: { actor } }: Visit) {
  return database.actingAs({ actor, clock });
}

/** Token checks use the time of the database too. */
async function timeOf({ store: { database } }: EndUsersPagesDeps): Promise<EpochSeconds> {
  return epochSeconds((await database.nowMs()) / 1_000);
}
