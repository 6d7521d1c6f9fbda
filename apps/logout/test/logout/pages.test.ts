import { expect, it } from 'vitest';
import { attributesOf, shapeOf } from '../support/dom.js';
import { aTestService, BACK } from '../support/test-service.js';
import { fieldsOf, type Parameters, postDecision, type Seen, submit, visit } from '../support/visit.js';

const PAYLOADS = [
  ...[
    '<script>alert(1)</script>',
    '"><script>alert(1)</script>',
    "'><script>alert(1)</script>",
    '</title><script>1',
  ],
  ...[
    '<img src=x onerror=alert(1)>',
    '"><img src=x onerror=alert(1)>',
    '<svg onload=alert(1)>',
    '<svg/onload=1>',
  ],
  ...[
    '" onmouseover="alert(1)',
    "' onfocus='alert(1)' autofocus='",
    '" autofocus onfocus=alert(1) x="',
    '`onload=1`',
  ],
  ...[
    '</style><script>1</script>',
    '<style>*{color:red}</style>',
    '<link rel=stylesheet href=//evil>',
    '<base href=//evil>',
  ],
  ...[
    '<meta http-equiv=refresh content="0;url=//evil">',
    '<iframe src=//evil>',
    '<iframe srcdoc="<script>1</script>">',
  ],
  ...[
    '<form action=//evil>',
    '</form><form action=//evil>',
    '<input name=decision value=accept>',
    '<button formaction=//e>',
  ],
  ...[
    '<object data=//evil>',
    '<embed src=//evil>',
    '<math><mi xlink:href="javascript:1">',
    '<a href=javascript:1>x</a>',
  ],
  ...[
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:1',
    '//evil.example',
  ],
  ...[
    '&lt;script&gt;',
    '&#60;script&#62;',
    '&quot;><script>',
    '%3Cscript%3E',
    '\\u003cscript\\u003e',
    '\\x3cscript\\x3e',
  ],
  ...[
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?php',
    '<%',
    '{{7*7}}',
    '%7B7*7%7D',
    '{client}',
    '{provider}',
    '#{1}',
  ],
  ...[
    '\u2028<script>',
    '\u202eevil',
    '\ufeff<script>',
    '<scr\nipt>',
    '<a\thref=x>',
    '<plaintext>',
    '<xmp>',
    '<noscript>',
  ],
  ...[
    '</textarea><script>1',
    '<template><script>1',
    '<select><script>1',
    '<table><td><script>',
    '𝒳<b>',
    "';alert(1)//",
  ],
];

/** The pages for one end-user and one client with the given name. */
async function createFixture(name: string) {
  const service = await aTestService();
  await service.register('a', {
    client_name: name,
    'client_name#de': name,
    client_uri: 'https://a.example/',
  });
  const hint = await service.idToken('a');
  return { ...service, hint };
}

it('has pages of the same structure whatever names and parameters contain', async () => {
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(60);
  const here = await createFixture('Plain');
  const { app, hint, logIn, sql } = here;
  const login = await logIn(['a']);
  const shapes = new Map<string, string>();
  const seeSame = (name: string, payload: string, { body, headers }: Seen) => {
    const shape = shapeOf(body);
    expect(shape, `${name} with ${payload}`).toBe(shapes.get(name) ?? shape);
    shapes.set(name, shape);
    for (const [element, attribute, value] of attributesOf(body)) {
      expect(attribute, `${element} in ${name} with ${payload}`).not.toMatch(/^on/);
      if (['href', 'src', 'action'].includes(attribute))
        expect(value).toMatch(/^(?:https:\/\/a\.example\/|\/logout)$/);
    }
    expect(body.match(/<script/g)).toBeNull();
    expect(headers['content-security-policy']).not.toContain('script-src');
  };
  for (const payload of ['plain', ...PAYLOADS]) {
    await sql(
      `UPDATE client SET metadata = metadata || jsonb_build_object('client_name', $1::text, 'client_name#de', $1::text)`,
      [payload],
    );
    const texts = { logout_hint: payload, state: payload, post_logout_redirect_uri: payload };
    const requests: Readonly<Record<string, Parameters>> = {
      confirmation: { id_token_hint: hint, ...texts },
      german: { id_token_hint: hint, ...texts, ui_locales: 'de' },
      locales: { id_token_hint: hint, ...texts, ui_locales: payload },
      'bad hint': { ...texts, id_token_hint: payload, client_id: 'a' },
      'unknown client': { ...texts, client_id: payload },
    };
    for (const [name, request] of Object.entries(requests)) {
      seeSame(name, payload, await visit(app, request, login));
      seeSame(`${name}, logged out`, payload, await visit(app, request));
    }
    seeSame('error', payload, await visit(app, { state: payload.padEnd(2_100, 'x') }));
    const declined = { ...fieldsOf(await visit(app, requests['bad hint'], login)), decision: 'decline' };
    seeSame('kept', payload, await submit(app, declined, login));
  }
});

it('links only to the home page that the client registered, and to no scheme that runs scripts', async () => {
  const { app, hint, sql, logIn } = await createFixture('Plain');
  const login = await logIn([]);
  for (const [uri, link] of [
    ['https://a.example/"><b>', 'https://a.example/%22%3E%3Cb%3E'],
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['not an address', undefined],
  ] as const) {
    await sql(`UPDATE client SET metadata = metadata || jsonb_build_object('client_uri', $1::text)`, [uri]);
    const page = await postDecision(app, await visit(app, { id_token_hint: hint }, login), 'decline', login);
    expect(attributesOf(page.body).find(([, name]) => name === 'href')?.[2], uri).toBe(link);
    if (link === undefined) expect(page.body).toContain('You can close this window.');
  }
});

it('sends every page with a Content-Security-Policy that allows only what the page needs, and forbids caching and framing', async () => {
  const { app, hint, logIn, deps } = await createFixture('Plain');
  const style = deps.pages.style.styleSource;
  const policy = (target = '') =>
    `default-src 'none'; style-src ${style}; form-action 'self'${target}; base-uri 'none'; frame-ancestors 'none'`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    pragma: 'no-cache',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
  const [login, lonely] = [await logIn(['a']), await logIn([])];
  const back = { id_token_hint: hint, post_logout_redirect_uri: BACK };
  const states: Readonly<Record<string, [Seen, string]>> = {
    confirmation: [await visit(app, { id_token_hint: hint }, login), policy()],
    'confirmation with a redirect': [await visit(app, back, login), policy(' https://app.example')],
    'bad hint': [await visit(app, { ...back, id_token_hint: 'x' }, login), policy()],
    signedOut: [await visit(app, {}), policy()],
    kept: [await postDecision(app, await visit(app, {}, login), 'decline', login), policy()],
    ended: [await postDecision(app, await visit(app, {}, lonely), 'accept', lonely), policy()],
    error: [await visit(app, { state: 'x'.repeat(3_000) }), policy()],
  };
  for (const [name, [page, expected]] of Object.entries(states)) {
    expect(page.policy, name).toBe(expected);
    expect(page.headers, name).toMatchObject(headers);
  }
});

it('uses the language of ui_locales, then of Accept-Language, and the client name registered for it', async () => {
  const service = await aTestService();
  await service.register('a', {
    client_name: 'Shop',
    'client_name#de': 'Laden',
    'client_name#pt-BR': 'Loja',
  });
  const { app, idToken, logIn } = service;
  const [login, hint] = [await logIn(['a']), await idToken('a')];
  const see = async (ui_locales: string | undefined, accept?: string) => {
    const headers = accept === undefined ? {} : { 'accept-language': accept };
    const { body } = await visit(app, { id_token_hint: hint, ui_locales }, { ...login, headers });
    const [, lang, dir] = /<html lang="([^"]+)" dir="([^"]+)">/.exec(body) ?? [];
    return `${lang} ${dir} ${/Laden|Loja|Shop/.exec(body)?.[0]}`;
  };
  expect(await see(undefined)).toBe('en ltr Shop');
  expect(await see('de')).toBe('de ltr Laden');
  expect(await see('xx de-AT ar', 'fr')).toBe('de ltr Laden');
  expect(await see('ar')).toBe('ar rtl Shop');
  expect(await see('pt-BR')).toBe('pt-BR ltr Loja');
  expect(await see('pt')).toBe('pt ltr Shop');
  expect(await see('zh-HK')).toBe('zh-TW ltr Shop');
  expect(await see(undefined, 'fr;q=0.4, he;q=0.9, *;q=0.1')).toBe('he rtl Shop');
  expect(await see('x'.repeat(5_000), 'de')).toBe('de ltr Laden');
});
