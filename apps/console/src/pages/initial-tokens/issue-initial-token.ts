import { secureRandom } from '@vestibule/crypto';
import { html } from '@vestibule/http/pages';
import { DomainError } from '@vestibule/protocol';
import { formatScope, parseGrantedScopes } from '@vestibule/scopes';
import { issueInitialAccessToken } from '@vestibule/tokens/issuing';
import { Type } from 'typebox';
import {
  type ActionOutcome,
  type ConsoleRoute,
  consoleAction,
  consolePage,
} from '../../frame/console-route.js';
import { instantAt, joined, link, valueList } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { credentialsView } from '../clients/credentials-view.js';
import { roleForGrantedScopes } from './elevated-rights.js';
import { initialTokenPath, shortIdOf } from './initial-token-words.js';
import type { InitialTokensDeps } from './initial-tokens-deps.js';
import { enteredIssue, IssueForm, type IssueProblems, type IssueRequest, parseIssue } from './issue-form.js';
import { issuePage } from './issue-page.js';

const PATH = '/initial-tokens/issue';

/** Issues initial access tokens, as `vestibule initial-token create` does, and shows them once. */
export function issueInitialTokenRoutes(deps: InitialTokensDeps): readonly ConsoleRoute[] {
  const { lifetimeSeconds } = deps.initialTokens;
  return [
    consolePage({
      path: PATH,
      role: 'operator',
      query: Type.Object({}),
      show: async (visit) => issuePage(visit, { path: PATH, lifetimeSeconds, entered: {} }),
    }),
    consoleAction({
      path: PATH,
      role: 'operator',
      form: IssueForm,
      perform: async (visit, sent) => {
        const entered = enteredIssue(sent);
        const refuse = (problems: IssueProblems) =>
          issuePage(visit, { path: PATH, lifetimeSeconds, entered, problems });
        const request = parseIssue(entered);
        if ('problems' in request) return refuse(request.problems);
        await visit.requireRole(roleForGrantedScopes(parseGrantedScopes(request.scope)));
        try {
          return await issue(deps, visit, request);
        } catch (error) {
          if (!(error instanceof DomainError) || error.code !== 'invalid_request') throw error;
          return refuse({ [fieldOf(error.description)]: error.description });
        }
      },
    }),
  ];
}

async function issue(
  { store, registration, initialTokens }: InitialTokensDeps,
  visit: Visit,
  { lifetimeSeconds = initialTokens.lifetimeSeconds, ...request }: IssueRequest,
): Promise<ActionOutcome> {
  const { clock, database, digester, providerKeys } = store;
  const { actor } = visit.operator;
  const { accessToken, state } = await issueInitialAccessToken(
    {
      clock,
      issuer: registration.settings.issuer,
      random: secureRandom,
      digester,
      ...database.actingAs({ actor, clock }),
      tokenLength: initialTokens.tokenLength,
      keys: providerKeys,
      algorithm: initialTokens.algorithm,
    },
    { ...request, lifetimeSeconds },
  );
  const shortId = shortIdOf(state);
  return {
    title: 'The initial access token is issued',
    content: joined(
      credentialsView({ 'Initial access token': accessToken }),
      valueList({
        'Named in audit events': link(initialTokenPath(shortId), shortId),
        Label: state.label,
        Rights: html`<code>${formatScope(state.scope)}</code>`,
        Uses: state.usesLeft,
        Expires: instantAt(state.expiresAt),
      }),
    ),
  };
}

/** The field that the error of the operation is about. */
function fieldOf(description: string): keyof IssueProblems {
  if (/template/.test(description)) return 'template';
  if (/8192/.test(description)) return 'format';
  return 'general';
}
