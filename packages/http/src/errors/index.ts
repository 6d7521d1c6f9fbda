export { type Bearer, type BearerChallenge, bearerChallenge, parseBearer } from './bearer.js';
export {
  type ErrorPresenter,
  type ErrorResponse,
  type ErrorTable,
  emptyError,
  JSON_CONTENT_TYPE,
  jsonError,
  type LanguageRequest,
  presenterOf,
  throttledError,
} from './error-table.js';
export { type ErrorOccasions, errorsReference } from './errors-reference.js';
