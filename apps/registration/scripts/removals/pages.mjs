/** @typedef {import('@vestibule/testkit/check-removals').Removal} Removal */

/** What pages of other origins may do, and what caches may do with what they were answered. @returns {Removal[]} */
export function pages() {
  const removal = (
    /** @type {string} */ what,
    /** @type {string} */ from,
    /** @type {string} */ to,
    file = 'packages/http/src/routes/cross-origin.ts',
  ) => ({
    name: `pages: ${what}`,
    file,
    from,
    to,
    project: 'apps/registration',
    tests: ['test/browsers'],
  });
  return [
    removal('the origin is one of those allowed', 'origin !== undefined && allowed.has(origin)', 'origin'),
    removal('none where no origin is allowed', 'if (origins.length === 0) return undefined;', ''),
    removal('answers depend on the origin', 'if (!allowed.has(ANY)) varyByOrigin(reply);', ''),
    removal('answers to all do not', 'if (!allowed.has(ANY)) varyByOrigin', 'varyByOrigin'),
    removal(
      'what a response depends on besides',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a file
      "before === undefined ? 'Origin' : `${String(before)}, Origin`",
      "'Origin'",
    ),
    removal(
      'headers that may be read',
      "reply.header('access-control-expose-headers', exposedHeaders.join(', '));",
      '',
    ),
    removal('a preflight comes from an allowed origin', ' || allowedFor(request) === undefined', ''),
    removal('a preflight asks for a method', ' || wanted === undefined', ''),
    removal('headers that may be sent', "'access-control-allow-headers': requestHeaders.join(', '),", ''),
    removal(
      'methods of the resource',
      'permission(request, methods)',
      "permission(request, '*')",
      'packages/http/src/routes/resource.ts',
    ),
    removal(
      'answers to failures are shared, too',
      '    shared?.share(request, reply);',
      '    if (reply.statusCode < 400) shared?.share(request, reply);',
      'packages/http/src/routes/resource.ts',
    ),
    {
      ...removal(
        'an origin is written as browsers send it',
        ' && origin === text',
        '',
        'packages/service/src/settings/cross-origin-settings.ts',
      ),
      project: 'packages/service',
      tests: ['src/settings/cross-origin-settings'],
    },
    {
      ...removal(
        'an origin is no pattern',
        " || text.includes('*')",
        '',
        'packages/service/src/settings/cross-origin-settings.ts',
      ),
      project: 'packages/service',
      tests: ['src/settings/cross-origin-settings'],
    },
  ];
}
