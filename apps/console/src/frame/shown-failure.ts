import type { Request } from '@vestibule/http';
import { ThrottledError } from '@vestibule/protocol';
import type { ConsoleSession, ConsoleSessions } from '../login/console-sessions.js';
import { failurePage } from './failure-page.js';
import { type Frame, layout, type SentPage } from './layout.js';
import { addressOf } from './request-frame.js';

/** A request whose failure is shown. */
export interface ShownRequest {
  readonly frame: Frame;
  /** Path and query. */
  readonly address: string;
  /** What the page of a failure may repeat. */
  readonly form?: Readonly<Record<string, unknown>>;
}

/**
 * Shows failures that have a reason, and unreachable stores, as pages.
 * @throws faults of the program
 */
export async function shown<Result>(
  { frame, address, form }: ShownRequest,
  respond: () => Promise<Result>,
): Promise<Result | SentPage> {
  try {
    return await respond();
  } catch (error) {
    const page = failurePage(error, { address, form });
    if (page === undefined) throw error;
    const sent = layout(frame, page);
    if (!(error instanceof ThrottledError)) return sent;
    return { ...sent, headers: { ...sent.headers, 'retry-after': String(error.retryAfterSeconds) } };
  }
}

/** Finds the session of a request, or the page to show while that is not possible. */
export function findSession(
  { sessions }: { readonly sessions: ConsoleSessions },
  request: Request,
  repeated: Pick<ShownRequest, 'form'> = {},
): Promise<{ readonly session: ConsoleSession | undefined } | SentPage> {
  const shownRequest = { frame: addressOf(request), address: request.url, ...repeated };
  return shown(shownRequest, async () => ({ session: await sessions.find(request) }));
}
