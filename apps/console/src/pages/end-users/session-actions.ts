import { html } from '@vestibule/http/pages';
import { DomainError, type EpochSeconds, epochSeconds, nowSeconds } from '@vestibule/protocol';
import { revokeSubject } from '@vestibule/tokens/revocation';
import { Type } from 'typebox';
import { confirmationWord } from '../../frame/confirmation-word.js';
import { confirmedAction } from '../../frame/confirmed-action.js';
import type { ActionOutcome, ConsoleRoute } from '../../frame/console-route.js';
import { link } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';
import type { Visit } from '../../frame/visit.js';
import { END_USERS_PATH, endUserAddress, SESSION_PATH, sessionAddress } from './end-users-addresses.js';
import type { EndUsersPagesDeps } from './end-users-deps.js';

const SessionForm = Type.Object({ session: Type.Optional(Type.String()) });
const SubjectForm = Type.Object({ subject: Type.Optional(Type.String()) });

/** The actions that end sessions, and revoke what belongs to a session or an end-user. */
export function sessionActions(deps: EndUsersPagesDeps): readonly ConsoleRoute[] {
  return [...endSession(deps), ...revokeSession(deps), ...endSessions(deps), ...revokeEverything(deps)];
}

function endSession(deps: EndUsersPagesDeps): readonly ConsoleRoute[] {
  return aboutSession({
    path: `${SESSION_PATH}/end`,
    title: 'End a session',
    sentence:
      'Its tokens end with it, and its applications are notified. It cannot be restored: the end-user has to log in again.',
    button: 'End the session',
    wordOf: async (session) => {
      const found = await deps.store.database.listedSessions.find(session, 1);
      if (found === undefined) throw noSuchSession();
      return found.subject ?? session;
    },
    perform: async (visit, session) => {
      if (!(await recorded(deps, visit).sessions.end(session, await timeOf(deps)))) throw noSuchSession();
      return { goTo: END_USERS_PATH, notice: 'ended' };
    },
  });
}

/** Tokens may name a session that is not stored here. */
function revokeSession(deps: EndUsersPagesDeps): readonly ConsoleRoute[] {
  return aboutSession({
    path: `${SESSION_PATH}/revoke`,
    title: 'Revoke every token of a session',
    sentence: 'Its tokens cannot be restored. The end-user stays logged in, and no application is notified.',
    button: 'Revoke every token of the session',
    wordOf: async (session) =>
      (await deps.store.database.listedSessions.find(session, 1))?.subject ?? session,
    perform: async (visit, session) => {
      await recorded(deps, visit).revocations.revokeSession(session, nowSeconds(deps.store.clock));
      return { goTo: sessionAddress(session), notice: 'tokens-revoked' };
    },
  });
}

interface SessionAction {
  readonly path: string;
  readonly title: string;
  readonly sentence: string;
  readonly button: string;
  /** What the session is confirmed by: its end-user, if that is known. */
  readonly wordOf: (session: string) => Promise<string>;
  readonly perform: (visit: Visit, session: string) => Promise<ActionOutcome>;
}

function aboutSession({
  path,
  title,
  sentence,
  button,
  wordOf,
  perform,
}: SessionAction): readonly ConsoleRoute[] {
  return confirmedAction({
    path,
    role: 'operator',
    fields: SessionForm,
    describe: async (_visit, { session: given }) => {
      const session = required(given, 'session');
      const word = await wordOf(session);
      return {
        title,
        content: html`<p>The session is <code>${shownText(session)}</code>${word === session ? '' : html`, of the end-user <code>${shownText(word)}</code>`}. ${sentence}</p>`,
        word: confirmationWord(word),
        button,
        hidden: { session },
        back: link(sessionAddress(session), 'Back to the session'),
      };
    },
    perform: (visit, { session }) => perform(visit, required(session, 'session')),
  });
}

function noSuchSession(): DomainError {
  return new DomainError('not_found', 'There is no such session. It may have ended in the meantime.');
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
  readonly perform: (visit: Visit, subject: string) => Promise<ActionOutcome>;
}

function aboutEndUser({ path, title, sentence, button, perform }: EndUserAction): readonly ConsoleRoute[] {
  return confirmedAction({
    path,
    role: 'admin',
    fields: SubjectForm,
    describe: async (_visit, { subject }) => {
      const name = required(subject, 'subject');
      return {
        title,
        content: html`<p>The end-user is <code>${shownText(name)}</code>. ${sentence}</p>`,
        word: confirmationWord(name),
        button,
        hidden: { subject: name },
        back: link(endUserAddress(name), 'Back to the end-user'),
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
