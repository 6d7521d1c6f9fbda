export { html, type Markup, type Part } from './html.js';
export { type PageContent, page } from './page.js';
export { HTML_CONTENT_TYPE, pageHeaders } from './page-headers.js';
export { type PageLook, type PageLookOptions, type PageScript, pageLook, pageScript } from './page-look.js';
export { type PagePermissions, pagePolicy, policySource } from './page-policy.js';
