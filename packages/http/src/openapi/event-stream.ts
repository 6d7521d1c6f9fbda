import { Type } from 'typebox';
import type { HeaderDescription } from './operation-description.js';

/** Request header of an operation whose response is a stream of events that a reader can continue. */
export const EVENT_STREAM_REQUEST_HEADERS: Readonly<Record<string, HeaderDescription>> = {
  'last-event-id': {
    description: 'The `id` of the last event that was processed.',
    schema: Type.String(),
  },
};

/** Response header of such an operation. */
export const EVENT_STREAM_RESPONSE_HEADERS: Readonly<Record<string, HeaderDescription>> = {
  'x-accel-buffering': {
    description: 'Proxies such as nginx pass events on at once.',
    schema: Type.Enum(['no']),
    required: true,
  },
};
