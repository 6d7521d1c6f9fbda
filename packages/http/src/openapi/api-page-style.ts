/** Additions to the style of Swagger UI: a contrast of 4.5:1 (WCAG 2.2, 1.4.3) in light and dark mode. */
export const PAGE_STYLE = `
.swagger-ui .info .title small.version-stamp { background-color: #3f6212; }
.swagger-ui .btn.authorize, .swagger-ui .btn.cancel { border-color: currentcolor; }
.swagger-ui .btn.authorize, .swagger-ui .btn.authorize span { color: #166534; }
.swagger-ui .btn.authorize svg { fill: currentcolor; }
.swagger-ui .btn.cancel { color: #b91c1c; }
.swagger-ui .btn.execute { background-color: #1d4ed8; border-color: #1d4ed8; color: #fff; }
.swagger-ui .info a, .swagger-ui .info .base-url { color: #1d4ed8; }
.swagger-ui .opblock .opblock-summary-method { color: #fff; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1d4ed8; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #166534; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #9a3412; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b91c1c; }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0f766e; }
.swagger-ui .parameter__in, .swagger-ui .parameter__extension { color: #4b5563; }
.swagger-ui .parameter__name.required span, .swagger-ui .parameter__name.required::after { color: #b91c1c; }
.swagger-ui .markdown code, .swagger-ui .renderedMarkdown code { color: #6b21a8; }
.swagger-ui .highlight-code .microlight, .swagger-ui .highlight-code .microlight * { color: #f8fafc !important; }
.swagger-ui .highlight-code .microlight { background: #1f2937 !important; }
html.dark-mode .swagger-ui .btn.authorize, html.dark-mode .swagger-ui .btn.authorize span { color: #86efac; }
html.dark-mode .swagger-ui .headers .header-col { color: #d1d5db; }
html.dark-mode .swagger-ui .btn.cancel,
html.dark-mode .swagger-ui .opblock .opblock-section-header .try-out__btn.cancel { color: #fca5a5; }
html.dark-mode .swagger-ui .opblock.opblock-put .opblock-section-header { background: #5b3422; }
html.dark-mode .swagger-ui .info a, html.dark-mode .swagger-ui .info .base-url { color: #93c5fd; }
html.dark-mode .swagger-ui .markdown code, html.dark-mode .swagger-ui .renderedMarkdown code { color: #d8b4fe; }
html.dark-mode .swagger-ui .parameter__in, html.dark-mode .swagger-ui .parameter__extension { color: #d1d5db; }
html.dark-mode .swagger-ui .parameter__name.required span,
html.dark-mode .swagger-ui .parameter__name.required::after { color: #fca5a5; }
`;
