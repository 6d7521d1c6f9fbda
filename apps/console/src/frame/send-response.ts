import { Readable } from 'node:stream';
import { closeSlowClient, type Reply } from '@vestibule/http';
import type { ActionOutcome, Download } from './console-route.js';
import { type Frame, layout, type SentPage } from './layout.js';

/** A response: a page, a file, or the address of the next page. */
type Response = SentPage | Download | { readonly location: string };

/** The query parameter that names the notice of a page. */
export const NOTICE = 'done';

/** Returns the response to the outcome of an action. The address of the next page names the notice. */
export function responseTo(frame: Frame, outcome: ActionOutcome): Response {
  if ('pieces' in outcome) return outcome;
  if (!('goTo' in outcome)) return layout(frame, outcome);
  const { goTo, notice } = outcome;
  if (notice === undefined) return { location: goTo };
  return { location: `${goTo}${goTo.includes('?') ? '&' : '?'}${new URLSearchParams({ [NOTICE]: notice })}` };
}

/** Sends a response. */
export function sendResponse(reply: Reply, response: Response): Reply {
  if ('location' in response) return reply.code(303).header('location', response.location).send();
  if ('pieces' in response) return sendDownload(reply, response);
  return reply.code(response.status).headers(response.headers).send(response.body);
}

function sendDownload(reply: Reply, { fileName, mediaType, pieces }: Download): Reply {
  closeSlowClient(reply);
  return reply
    .header('content-type', mediaType)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .send(Readable.from(pieces));
}
