import type { OperationDescription, ResponseDescription } from '@vestibule/http/openapi';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { Type } from 'typebox';
import { EXPLANATION_PAGE_HEADERS } from '../pages/explanation-page.js';

/** The headers of the pages. */
export const PAGE_HEADERS = Object.fromEntries(
  Object.keys(EXPLANATION_PAGE_HEADERS)
    .filter((name) => name !== 'content-type')
    .map((name) => [name, { description: 'Present on the page only.', schema: Type.String() }]),
);

const htmlPage = (description: string): ResponseDescription => ({
  description,
  headers: PAGE_HEADERS,
  content: { [MEDIA_TYPE.html]: Type.String({ description: 'A web page.' }) },
  examples: { [MEDIA_TYPE.html]: '<!doctype html><title>Explanation</title>' },
});

/** GET /federation/explain/page */
export const EXPLANATION_FORM: OperationDescription = {
  id: 'openExplanationPage',
  summary: 'Open the form that explains trust in an entity',
  description: 'For use in a browser. The form takes the master token; `sub` and `profile` prefill it.',
  security: ['none'],
  responses: { 200: htmlPage('The form.') },
  errors: ['invalid_request'],
};

/** POST /federation/explain/page */
export const EXPLANATION_RESULT: OperationDescription = {
  id: 'submitExplanationPage',
  summary: 'Explain trust in an entity on a page',
  description: 'Nothing is registered. The master token is sent in the body and is not kept.',
  security: ['none'],
  bodyExamples: { [MEDIA_TYPE.form]: { sub: 'https://rp.example', master_token: '<master token>' } },
  responses: {
    200: htmlPage('The explanation.'),
    400: htmlPage('The form again: `sub` is not an entity identifier, or federation is not enabled.'),
    401: htmlPage('The form again: the token is not a master token.'),
  },
  errors: ['invalid_request'],
};
