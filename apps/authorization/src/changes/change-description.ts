import {
  EVENT_STREAM_REQUEST_HEADERS,
  EVENT_STREAM_RESPONSE_HEADERS,
  type OperationDescription,
} from '@vestibule/http/openapi';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { Type } from 'typebox';

/** GET /direct-authz/changes */
export const READ_CHANGES: OperationDescription = {
  id: 'readChanges',
  summary: 'Follow changes',
  description:
    'Server-sent events of sessions, tokens and clients that ended, with the reason, so that a server with copies of its own can end them. They are recorded from the first connection on. A reader that reconnects with `Last-Event-ID` continues exactly after that event. Otherwise the first event is `reset`: events before it may be missing.',
  security: ['masterToken'],
  headers: EVENT_STREAM_REQUEST_HEADERS,
  responses: {
    200: {
      description:
        'Events until the connection is closed; a comment when there is none for 10 seconds. The response begins before the first event is found.',
      headers: EVENT_STREAM_RESPONSE_HEADERS,
      content: {
        [MEDIA_TYPE.eventStream]: Type.String({ description: 'Events with JSON in `data`.' }),
      },
      examples: {
        [MEDIA_TYPE.eventStream]:
          'id: 81260-18-6f1d2c1e-8a53-4f6b-9c1d-2f0a7be41c55\nevent: session.ended\ndata: {"id":"81260-18-6f1d2c1e-8a53-4f6b-9c1d-2f0a7be41c55","type":"session.ended","occurred_at":1796079600,"reason":"logout","sid":"Qm4vT8yLx2Zr6NcK1bWf0","sub":"alice","clients":{"k8s0p2q4":{"sid":"b3TfXw9uE5oRj7HaY1mVd"}}}\n\n',
      },
    },
  },
  errors: ['invalid_request', 'missing_token', 'invalid_token', 'too_many_requests'],
};
