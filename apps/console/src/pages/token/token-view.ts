import { decodeUnverifiedJwt, JoseFailure } from '@vestibule/crypto/jwt';
import { html, type Markup } from '@vestibule/http/pages';
import type { JsonObject } from '@vestibule/protocol/json';
import { type AccessToken, JWT_MAX_LENGTH, tokenSyntax } from '@vestibule/tokens';
import {
  composeResponse,
  INACTIVE_CAUSES,
  type InactiveCause,
  type TokenExplanation,
} from '@vestibule/tokens/introspection';
import { addressWith, clientPath } from '../../frame/addresses.js';
import { includesRole } from '../../frame/operator.js';
import { instantAt, joined, link, section, stateWord, valueList } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';
import type { Visit } from '../../frame/visit.js';
import type { CallerResponse } from './caller-response.js';
import { claimsTable } from './claims-table.js';
import { INACTIVE_REASONS, isCauseOf } from './inactive-reasons.js';
import { callerForm, revokeForm } from './token-forms.js';

/** A token that was looked up. */
export interface ExplainedToken {
  /** For its claims, which are shown; the text itself never is. */
  readonly text: string;
  readonly encrypted: string;
  readonly explanation: TokenExplanation;
  /** The resource server whose response was asked for. */
  readonly caller?: string | undefined;
  readonly response?: CallerResponse | undefined;
}

/** Renders what is known of a token, and what can be done. */
export function tokenView(visit: Visit, explained: ExplainedToken): Markup {
  const { text, explanation } = explained;
  const isPossible = tokenSyntax(text) !== 'impossible';
  return joined(
    section('State', stateOf(explanation, text)),
    claimsOf(explanation, text),
    isPossible ? section('What a caller gets', callerPart(visit, explained)) : undefined,
    isPossible ? revocations(visit, explained) : undefined,
  );
}

function stateOf(explanation: TokenExplanation, text: string): Markup {
  const { reason, detail, state } = explanation;
  const token = state?.token;
  return valueList({
    State: reason === undefined ? stateWord('active', 'good') : stateWord('not active', 'bad'),
    'Why not': whyNot(explanation),
    Requirement: detail === undefined ? undefined : shownText(detail, 500),
    Format: formatOf(text),
    Client: token && link(clientPath(token.clientId), shownText(token.clientId)),
    'End-user': token && endUserOf(token),
    Session:
      token?.sessionId === undefined
        ? undefined
        : link(addressWith('/end-users/session', { session: token.sessionId }), shownText(token.sessionId)),
  });
}

function whyNot({ reason, causes }: TokenExplanation): Markup | undefined {
  if (reason === undefined) return undefined;
  const general = isCauseOf(reason, causes) ? undefined : html`<p>${INACTIVE_REASONS[reason]}</p>`;
  return joined(general, ...causes.map(causeText));
}

/** A cause, with its time and its actor in audit events. */
function causeText({ kind, at, actor }: InactiveCause): Markup {
  const who =
    actor === undefined ? undefined : html`, ${link(addressWith('/audit', { actor }), shownText(actor))}`;
  return html`<p>${INACTIVE_CAUSES[kind]}${at === undefined ? undefined : html` (${instantAt(at)}${who})`}</p>`;
}

function endUserOf({ subject, clientId }: AccessToken): Markup | undefined {
  // Without an end-user, the subject is the client (RFC 9068 section 2.2).
  if (subject === undefined || subject === clientId) return undefined;
  return link(addressWith('/end-users', { subject }), shownText(subject));
}

function formatOf(text: string): string | undefined {
  const syntax = tokenSyntax(text);
  if (syntax === 'impossible') return undefined;
  return syntax === 'jwt' ? 'self-contained (JWT)' : 'identifier-based';
}

function claimsOf({ state }: TokenExplanation, text: string): Markup | undefined {
  if (state !== undefined) {
    const { token } = state;
    const view = { token, caller: token.clientId, audience: token.audience, scope: token.scope };
    return section('Claims', claimsTable('Everything that a response can contain', composeResponse(view)));
  }
  const stated = statedBy(text);
  return (
    stated &&
    section(
      'Claims that the text states',
      joined(
        html`<p class="hint">Nothing of this counts: the token is not active.</p>`,
        claimsTable('Header', stated.header),
        claimsTable('Claims', stated.claims),
      ),
    )
  );
}

function statedBy(text: string): { readonly header: JsonObject; readonly claims: JsonObject } | undefined {
  try {
    const { header, claims } = decodeUnverifiedJwt(text, JWT_MAX_LENGTH);
    return { header: { ...header } as JsonObject, claims };
  } catch (error) {
    if (error instanceof JoseFailure) return undefined;
    throw error;
  }
}

function callerPart(visit: Visit, { encrypted, caller, response }: ExplainedToken): Markup {
  const error = response?.kind === 'unknown' ? response.problem : undefined;
  return joined(
    response === undefined || response.kind === 'unknown' ? undefined : responseView(caller ?? '', response),
    callerForm(visit, encrypted, { caller, error }),
  );
}

function responseView(caller: string, response: Exclude<CallerResponse, { kind: 'unknown' }>): Markup {
  const of = html`<p>For <code>${shownText(caller)}</code>:</p>`;
  if (response.kind === 'refused')
    return joined(
      of,
      valueList({ Response: stateWord(response.status, 'bad'), Why: shownText(response.why, 1_000) }),
    );
  const { why, format } = response;
  const { active, ...members } = response.response;
  return joined(
    of,
    valueList({
      Response: active ? stateWord('active', 'good') : stateWord('not active', 'bad'),
      Why: why.length === 0 ? undefined : html`${why.map((each) => html`<p>${shownText(each, 1_000)}</p>`)}`,
      Format: format,
    }),
    active ? claimsTable('The members of the response', members) : undefined,
  );
}

function revocations(visit: Visit, { encrypted, explanation }: ExplainedToken): Markup | undefined {
  if (!includesRole(visit.operator.role, 'operator')) return undefined;
  const token = explanation.state?.token;
  const isAdmin = includesRole(visit.operator.role, 'admin');
  return section(
    'Revoke',
    joined(
      revokeForm(visit, encrypted),
      token && isAdmin ? html`<p>${wider(token)}</p>` : undefined,
      token?.sessionId === undefined
        ? undefined
        : html`<p>${link(addressWith('/end-users/session', { session: token.sessionId }), 'End its session, or revoke every token of it')}</p>`,
    ),
  );
}

function wider(token: AccessToken): Markup {
  const { clientId, subject } = token;
  const endUser =
    endUserOf(token) === undefined || subject === undefined
      ? undefined
      : html` · ${link(addressWith('/end-users/revoke', { subject }), 'Revoke everything of its end-user')}`;
  return html`${link(addressWith('/token/revoke-client', { client_id: clientId }), 'Revoke everything of its client')}${endUser}`;
}
