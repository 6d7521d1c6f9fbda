import { KeySetUnavailableError } from '@vestibule/crypto/public-keys';
import { databaseFault } from '@vestibule/database';
import { html, type Markup } from '@vestibule/http/pages';
import { tokenSyntax } from '@vestibule/tokens';
import { inspectToken } from '@vestibule/tokens/introspection';
import { Type } from 'typebox';
import {
  type ConsolePage,
  type ConsoleRoute,
  consoleAction,
  consolePage,
} from '../../frame/console-route.js';
import { joined, section } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { responseTo } from './caller-response.js';
import { openToken, sealToken } from './sealed-token.js';
import type { TokenPagesDeps } from './token-deps.js';
import { againForm, pasteForm, TOKEN_PATH } from './token-forms.js';
import { tokenView } from './token-view.js';

const TITLE = 'A token';

/** The page that takes a token, and the action that explains it. */
export function explainToken(deps: TokenPagesDeps): readonly ConsoleRoute[] {
  return [
    consolePage({
      path: TOKEN_PATH,
      query: Type.Object({}),
      notices: { revoked: 'The token is revoked.', 'client-revoked': 'Everything of the client is revoked.' },
      show: async (visit) => ({ title: TITLE, content: pasteSection(visit) }),
    }),
    consoleAction({
      path: TOKEN_PATH,
      role: 'viewer',
      hasSecret: true,
      form: Type.Object({
        token: Type.Optional(Type.String()),
        sealed: Type.Optional(Type.String()),
        caller: Type.Optional(Type.String()),
      }),
      perform: async (visit, { token, sealed, caller }) => {
        const text =
          token?.trim() ?? (sealed === undefined ? undefined : await openToken(deps.store, visit, sealed));
        if (text === undefined || text === '') return pasteAgain(visit, sealed !== undefined);
        return explained(deps, visit, text, caller?.trim());
      },
    }),
  ];
}

/** Renders the page that asks for the token again. */
export function pasteAgain(visit: Visit, isTooOld: boolean): ConsolePage {
  const error = isTooOld
    ? 'Paste the token again: its page was open for too long, or in another session.'
    : 'Paste a token.';
  return { title: TITLE, status: 400, content: pasteSection(visit, error) };
}

function pasteSection(visit: Visit, error?: string): Markup {
  return section('Paste a token', pasteForm(visit, error));
}

async function explained(
  deps: TokenPagesDeps,
  visit: Visit,
  text: string,
  caller: string | undefined,
): Promise<ConsolePage> {
  const { store, introspection } = deps;
  const { clients } = store.database;
  const isPossible = tokenSyntax(text) !== 'impossible';
  const sealed = isPossible ? await sealToken(store, visit, text) : '';
  try {
    const inspection = await inspectToken(introspection, text);
    const response =
      caller === undefined ? undefined : await responseTo({ introspection, clients }, caller, text);
    const view = tokenView(visit, { text, sealed, inspection, caller, response });
    return {
      title: TITLE,
      ...(response?.kind === 'unknown' && { status: 400 }),
      content: joined(view, section('Another token', pasteForm(visit))),
    };
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    // Not the failure page, which would contain the token.
    const content = html`<p role="alert">${fault}</p>
${againForm(visit, sealed, caller)}`;
    return { title: 'The token cannot be looked up now', status: 503, content };
  }
}

function faultOf(error: unknown): string | undefined {
  if (databaseFault(error) === 'unreachable') return 'The database cannot be reached.';
  if (error instanceof KeySetUnavailableError)
    return 'The keys of the authorization server (AUTHORIZATION_SERVER_JWKS) cannot be read.';
  return undefined;
}
