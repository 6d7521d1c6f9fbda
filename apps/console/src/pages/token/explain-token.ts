import { KeySetUnavailableError } from '@vestibule/crypto/public-keys';
import { html, type Markup } from '@vestibule/http/pages';
import { tokenSyntax } from '@vestibule/tokens';
import { explainToken } from '@vestibule/tokens/introspection';
import { Type } from 'typebox';
import {
  type ConsolePage,
  type ConsoleRoute,
  consoleAction,
  consolePage,
} from '../../frame/console-route.js';
import { databaseUnavailability } from '../../frame/failure-page.js';
import { joined, section } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { responseTo } from './caller-response.js';
import { decryptToken, encryptToken } from './encrypted-token.js';
import type { TokenPagesDeps } from './token-deps.js';
import { againForm, pasteForm, TOKEN_PATH } from './token-forms.js';
import { type ExplainedToken, tokenView } from './token-view.js';

const TITLE = 'A token';

/** The page that takes a token, and the action that explains it. */
export function explainTokens(deps: TokenPagesDeps): readonly ConsoleRoute[] {
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
        encrypted: Type.Optional(Type.String()),
        caller: Type.Optional(Type.String()),
      }),
      perform: async (visit, { token, encrypted, caller }) => {
        const pasted = token?.trim();
        if (pasted === undefined && encrypted !== undefined) {
          const text = await decryptToken(deps.store, visit, encrypted);
          if (text === undefined) return pasteAgain(visit, true);
          return explained(deps, visit, { text, encrypted, caller: caller?.trim() });
        }
        if (pasted === undefined || pasted === '') return pasteAgain(visit, false);
        const isPossible = tokenSyntax(pasted) !== 'impossible';
        return explained(deps, visit, {
          text: pasted,
          encrypted: isPossible ? await encryptToken(deps.store, visit, pasted) : '',
          caller: caller?.trim(),
        });
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
  { store, introspection }: TokenPagesDeps,
  visit: Visit,
  { text, encrypted, caller }: Pick<ExplainedToken, 'text' | 'encrypted' | 'caller'>,
): Promise<ConsolePage> {
  const { clients, inactiveTokens } = store.database;
  try {
    const explanation = await explainToken({ ...introspection, inactiveTokens }, text);
    const { causes } = explanation;
    const response =
      caller === undefined
        ? undefined
        : await responseTo({ introspection, clients }, caller, { token: text, causes });
    const view = tokenView(visit, { text, encrypted, explanation, caller, response });
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
${againForm(visit, encrypted, caller)}`;
    return { title: 'The token cannot be looked up now', status: 503, content };
  }
}

function faultOf(error: unknown): string | undefined {
  const unavailability = databaseUnavailability(error);
  if (unavailability !== undefined) return `${unavailability}.`;
  if (error instanceof KeySetUnavailableError)
    return 'The keys of the authorization server (AUTHORIZATION_SERVER_JWKS) cannot be read.';
  return undefined;
}
