export { hiddenFields, html, type Markup, type Part } from './html.js';
export { BUILT_IN_DIRECTIONS, type BuiltInTag, type Direction } from './languages/built-in-directions.js';
export { builtInLanguages, type Language, type Languages } from './languages/built-in-languages.js';
export { chooseLocale, type Locale } from './languages/choose-locale.js';
export { COMMON_MESSAGES, type CommonMessages } from './languages/common-messages.js';
export { formatMessage, haveSamePlaceholders, type Names, shownName } from './languages/format-message.js';
export {
  localizedPage,
  type PageFrame,
  type PageParts,
  type RenderedPage,
  sentencesOf,
} from './localized-page.js';
export { type PageContent, page } from './page.js';
export { type FailurePresenter, type PageFailure, pageErrors } from './page-errors.js';
export {
  HTML_CONTENT_TYPE,
  type PagePermissions,
  pageHeaders,
  pagePolicy,
  policySource,
} from './page-policy.js';
export {
  type PageScript,
  type PageStyle,
  type PageStyleOptions,
  pageColors,
  pageScript,
  pageStyle,
} from './page-style.js';
