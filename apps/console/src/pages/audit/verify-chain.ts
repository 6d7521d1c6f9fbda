import type { ChainHead } from '@vestibule/database';
import { type AuditChainVerdict, chainHeadText, parseChainHead } from '@vestibule/database/audit';
import { hiddenFields, html, type Markup } from '@vestibule/http/pages';
import { Type } from 'typebox';
import type { FormErrors } from '../../frame/confirmed-action.js';
import { type ConsolePage, type ConsoleRoute, consoleAction } from '../../frame/console-route.js';
import { actionForm } from '../../frame/forms.js';
import { joined, section, stateWord, valueList } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { AUDIT_PATH, type AuditPagesDeps } from './audit-deps.js';
import { type TypedVerification, VERIFIED_EVENTS, verifyForm } from './verify-form.js';

/** The action that verifies a part of the chain and says which. It changes nothing. */
export function verifyChain({ store: { database } }: AuditPagesDeps): ConsoleRoute {
  return consoleAction({
    path: `${AUDIT_PATH}/verify`,
    role: 'viewer',
    form: Type.Object({
      position: Type.Optional(Type.String()),
      head: Type.Optional(Type.String()),
    }),
    perform: async (visit, { position, head }): Promise<ConsolePage> => {
      const typed = {
        ...(position !== undefined && { from: position.trim() }),
        ...(head !== undefined && { head: head.trim() }),
      };
      const end = await database.auditChainHead();
      const read = readRange(typed, end?.position ?? 0n);
      if ('errors' in read) return formAgain(visit, typed, read.errors);
      const { from, to, noted } = read;
      const verdict = await database.verifyAuditChain({ from, to, head: noted });
      return verdictPage(visit, { ...read, end, verdict });
    },
  });
}

/** The part of the chain to verify. */
interface VerifiedRange {
  readonly from: bigint;
  readonly to: bigint;
  /** A recorded end that must be in it. */
  readonly noted?: ChainHead | undefined;
}

const POSITION = /^[1-9]\d{0,17}$/;
const AT_ONCE = BigInt(VERIFIED_EVENTS);

/** Chooses the part: from a position on, up to the recorded head, or the newest events. */
function readRange(
  { from: typed, head }: TypedVerification,
  end: bigint,
): VerifiedRange | { readonly errors: FormErrors } {
  const noted = head === undefined ? undefined : parseChainHead(head);
  if (head !== undefined && noted === undefined)
    return { errors: { head: 'It must be a position, a colon and 64 hexadecimal digits.' } };
  if (typed !== undefined && !POSITION.test(typed))
    return { errors: { position: 'It must be a whole number of at least 1.' } };
  const last = noted?.position ?? end;
  const from = typed === undefined ? atLeastOne(last - AT_ONCE + 1n) : BigInt(typed);
  if (typed !== undefined && from > end) return { errors: { position: `The chain ends at ${end}.` } };
  const farthest = from + AT_ONCE - 1n;
  if (noted !== undefined && (noted.position < from || noted.position > farthest))
    return {
      errors: { head: `It must be at one of the ${VERIFIED_EVENTS} positions from the first one on.` },
    };
  // Beyond the end of the chain only if the head says that there were more events.
  const known = noted !== undefined && noted.position > end ? noted.position : end;
  return { from, to: farthest < known ? farthest : known, noted };
}

function atLeastOne(position: bigint): bigint {
  return position < 1n ? 1n : position;
}

function formAgain(visit: Visit, typed: TypedVerification, errors: FormErrors): ConsolePage {
  return {
    title: 'Hash chain',
    status: 400,
    content: section('Verify', verifyForm(visit, typed, errors)),
  };
}

interface Verified extends VerifiedRange {
  /** The end of the chain when the request began. */
  readonly end: ChainHead | undefined;
  readonly verdict: AuditChainVerdict;
}

function verdictPage(visit: Visit, verified: Verified): ConsolePage {
  return {
    title: 'Hash chain',
    content: joined(
      section('Verdict', joined(verdictView(verified), next(visit, verified))),
      section('Verify another part', verifyForm(visit, {})),
      html`<p><a href="${AUDIT_PATH}">All events</a></p>`,
    ),
  };
}

function verdictView({ verdict, from, noted, end }: Verified): Markup {
  const length = end === undefined ? 'no event is chained yet' : `1 to ${end.position}`;
  if (!verdict.intact)
    return joined(
      valueList({ Chain: stateWord('broken', 'bad'), 'Positions of the chain': length }),
      html`<p role="alert">The event at position ${String(verdict.position)} is ${verdict.reason}.</p>`,
    );
  const { count, head } = verdict;
  return valueList({
    Chain: stateWord('intact', 'good'),
    'Positions verified': count === 0 || head === undefined ? 'none' : `${from} to ${head.position}`,
    'Positions of the chain': length,
    'Recorded head': noted && 'it is in the chain',
    'Record this head': head && html`<code>${chainHeadText(head)}</code>`,
  });
}

/** Offers the parts after and before. */
function next(visit: Visit, { verdict, from, end }: Verified): Markup | undefined {
  if (!verdict.intact || verdict.head === undefined || end === undefined) return undefined;
  const after = verdict.head.position + 1n;
  return joined(
    after <= end.position ? partForm(visit, after, 'Verify the next events') : undefined,
    from > 1n ? partForm(visit, atLeastOne(from - AT_ONCE), 'Verify the events before') : undefined,
  );
}

function partForm(visit: Visit, from: bigint, button: string): Markup | undefined {
  return actionForm(visit, {
    action: `${AUDIT_PATH}/verify`,
    role: 'viewer',
    content: html`${hiddenFields({ position: String(from) })}`,
    button,
  });
}
