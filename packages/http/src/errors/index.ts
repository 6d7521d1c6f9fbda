export {
  type ErrorPresenter,
  type ErrorResponse,
  type ErrorTable,
  emptyError,
  jsonError,
  type LanguageRequest,
  presenterOf,
  throttledError,
} from './error-table.js';
export { type ErrorOccasions, errorsReference } from './errors-reference.js';
