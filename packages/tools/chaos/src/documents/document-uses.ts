import { setTimeout as pause } from 'node:timers/promises';
import type { DocumentEvent } from '../evaluation/document-verdict.js';
import type { Exchange, Gateway } from '../fleet/gateway.js';
import { FORM, formOf } from '../traffic/traffic.js';
import { DOCUMENT_REDIRECT_URI } from './document-host.js';

/** What a request said about its client: accepted, refused, or nothing for lack of capacity or of a response. */
export type UseOutcome = 'accepted' | 'refused' | 'busy' | 'unanswered';

/** Requests whose client is named by a document, and what came of them. */
export interface DocumentUses {
  /** Every response that says something about a document. */
  readonly events: readonly DocumentEvent[];
  readonly requests: number;
  /** Requests without a usable response. */
  readonly unanswered: number;
  /** The longest duration of a request, for documents and hosts for which it counts. */
  readonly slowestMs: number;
  /** Sends an authorization request or a token request. @param counts whether its duration counts */
  use(gateway: Pick<Gateway, 'send'>, url: string, counts: boolean): Promise<UseOutcome>;
}

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const BUSY = 429;

/** Opens a record of uses. */
export function openDocumentUses(): DocumentUses {
  const events: DocumentEvent[] = [];
  const seen = { events, requests: 0, unanswered: 0, slowestMs: 0 };
  const use: DocumentUses['use'] = async (gateway, url, counts) => {
    const isAuthorization = seen.requests % 2 === 0;
    seen.requests += 1;
    const begunAtMs = performance.now();
    const outcome = await (isAuthorization
      ? outcomeOf(gateway, authorizationRequest(url), { accepted: 303, refused: 400 })
      : outcomeOf(gateway, tokenRequest(url), { accepted: 400, refused: 401 }));
    const doneAtMs = performance.now();
    if (counts) seen.slowestMs = Math.max(seen.slowestMs, doneAtMs - begunAtMs);
    if (outcome === 'unanswered') seen.unanswered += 1;
    else if (outcome !== 'busy')
      events.push({ kind: 'used', url, begunAtMs, doneAtMs, isAccepted: outcome === 'accepted' });
    return outcome;
  };
  return Object.assign(seen, { use });
}

/** Uses documents in turn until stopped. */
export function keepUsing(
  { use }: DocumentUses,
  gateway: Gateway,
  {
    urls,
    everyMs,
    counts,
  }: { readonly urls: readonly string[]; readonly everyMs: number; readonly counts: boolean },
): () => Promise<void> {
  let isOver = false;
  const using = Promise.all(
    urls.map(async (url) => {
      while (!isOver) {
        await use(gateway, url, counts);
        await pause(everyMs * (0.5 + Math.random()));
      }
    }),
  );
  return async () => {
    isOver = true;
    await using;
  };
}

/** An authorization request of the client that a document names, which is known if the response redirects to the login. */
export function authorizationRequest(url: string): Exchange {
  const parameters = {
    client_id: url,
    response_type: 'code',
    redirect_uri: DOCUMENT_REDIRECT_URI,
    scope: 'openid',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  };
  return { method: 'GET', path: `/authorize?${formOf(parameters)}` };
}

/** The client is known if the response is about the code, which is none. */
function tokenRequest(url: string): Exchange {
  const form = {
    grant_type: 'authorization_code',
    client_id: url,
    code: 'none',
    redirect_uri: DOCUMENT_REDIRECT_URI,
    code_verifier: CHALLENGE,
  };
  return { method: 'POST', path: '/token', headers: FORM, body: formOf(form) };
}

async function outcomeOf(
  gateway: Pick<Gateway, 'send'>,
  exchange: Exchange,
  { accepted, refused }: { readonly accepted: number; readonly refused: number },
): Promise<UseOutcome> {
  try {
    const { status } = await gateway.send(exchange);
    if (status === accepted) return 'accepted';
    if (status === refused) return 'refused';
    return status === BUSY ? 'busy' : 'unanswered';
  } catch {
    return 'unanswered';
  }
}
