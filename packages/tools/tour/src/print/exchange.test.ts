import { expect, it } from 'vitest';
import { documentLines, exchangeLines, shorten } from './exchange.js';

it('shows sender, recipient, request and response', () => {
  expect(
    exchangeLines({
      from: 'A',
      method: 'POST',
      address: 'http://localhost:8080/token',
      status: 200,
      sent: { grant_type: 'refresh_token' },
      received: { expires_in: 600, aud: ['rs'] },
    }),
  ).toEqual([
    '  A: POST http://localhost:8080/token 200',
    '      → grant_type: refresh_token',
    '      ← expires_in: 600',
    '      ← aud: ["rs"]',
  ]);
});

it('never shows a whole secret', () => {
  const secret = 'w7Hq0123456789abcdef';
  const names = [
    'access_token',
    'client_assertion',
    'client_secret',
    'code',
    'code_verifier',
    'id_token',
    'logout_token',
    'password',
    'request',
    'token',
  ];
  const members = Object.fromEntries(names.map((name) => [name, secret]));
  const lines = exchangeLines({
    from: 'browser',
    method: 'GET',
    address: `http://127.0.0.1/callback?code=${secret}&state=${secret}`,
    status: 303,
    sent: { ...members, authorization: `Bearer ${secret}` },
    received: { ...members, location: `http://127.0.0.1/callback?code=${secret}` },
  });
  expect(lines.join('\n')).not.toContain(secret);
  expect(lines).toContain('      → authorization: Bearer w7Hq…');
  expect(lines).toContain('      ← location: http://127.0.0.1/callback');
});

it('hides a short secret completely', () => {
  for (const secret of ['', 'a', 'alice', 'fifteen letters']) expect(shorten(secret)).toBe('…');
});

it('shows the members of a document by their paths, with secrets shortened', () => {
  const client_secret = 'w7Hq0123456789abcdef';
  const metadata = { openid_relying_party: { client_secret, contacts: ['a@b.example'] } };
  expect(documentLines('Claims:', { sub: 'https://rp.example', exp: 5, metadata, hints: null })).toEqual([
    '  Claims:',
    '      · sub: https://rp.example',
    '      · exp: 5',
    '      · metadata openid_relying_party client_secret: w7Hq…',
    '      · metadata openid_relying_party contacts: ["a@b.example"]',
    '      · hints: null',
  ]);
});
