import {
  EVENT_STREAM_REQUEST_HEADERS,
  EVENT_STREAM_RESPONSE_HEADERS,
  type OperationDescription,
} from '@vestibule/http/openapi';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { Type } from 'typebox';

/** GET /token/changes (introspection/API.md#changes). */
export const FOLLOW_CHANGES: OperationDescription = {
  id: 'followTokenChanges',
  summary: 'Follow changes',
  description:
    'Server-sent events that name the cache tags of what has changed, so that a resource server can keep introspection responses until they are outdated. Callers authenticate as for introspection, with the header `Authorization` or the certificate of the connection. A reader that reconnects with `Last-Event-ID`, at any instance, gets what it may lack, or a `reset`.',
  security: ['clientSecret', 'accessToken', 'none'],
  headers: EVENT_STREAM_REQUEST_HEADERS,
  responses: {
    200: {
      description:
        'Events `reset`, `invalidate` and `heartbeat`, at least one every 250 milliseconds while the service knows of every change. The response ends after some minutes, and when the client of the caller changes.',
      headers: EVENT_STREAM_RESPONSE_HEADERS,
      content: {
        [MEDIA_TYPE.eventStream]: Type.String({ description: 'Events with JSON in `data`.' }),
      },
      examples: {
        [MEDIA_TYPE.eventStream]:
          'event: invalidate\nid: Qm4vT8yLx2Zr6NcK.81260\ndata: {"tags":["b3TfXw9uE5oRj7HaY1mVdA"],"at":"81259"}\n\n',
      },
    },
  },
  errors: ['invalid_request', 'invalid_client', 'access_denied', 'too_many_requests'],
};
