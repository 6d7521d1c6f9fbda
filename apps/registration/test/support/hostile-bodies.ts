const BROKEN_TEXT = 'A string in the JSON text holds a control character or a broken character';
const NOT_JSON = 'The text is not valid JSON';
const NO_OBJECT = 'The body is not acceptable';
const RESERVED = 'The JSON text uses a reserved member name';
const REPEATED = 'The JSON text repeats a member name';

/** Bodies that no endpoint may take apart, each with the public sentence about it. */
export const HOSTILE_BODIES: readonly (readonly [payload: string | Buffer, description: string])[] = [
  ['', 'The body is empty'],
  ...[
    '{',
    '{}}',
    '{"a"}',
    "{'a':1}",
    '{"a":1,}',
    '\uFEFF{}',
    'undefined',
    '{"a":01}',
    '{"a":"\\x"}',
    '//',
  ].map((payload) => [payload, NOT_JSON] as const),
  ...['null', '[]', '[{}]', '1', '"text"', 'true'].map((payload) => [payload, NO_OBJECT] as const),
  // PostgreSQL stores neither (SQLSTATE 22P05, 22P02).
  ...['\\u0000', '\\ud800', '\\udc00', '\\u001f', '\\u007f'].map(
    (text) => [`{"client_name":"a${text}b"}`, BROKEN_TEXT] as const,
  ),
  ['{"data":{"a\\u0000":1}}', BROKEN_TEXT],
  [Buffer.from('{"client_name":"\xff"}', 'latin1'), 'The body is not valid UTF-8'],
  [Buffer.from('{"client_name":"\xed\xa0\x80"}', 'latin1'), 'The body is not valid UTF-8'],
  ...[17, 5_000].map((depth) => [nested(depth), 'The JSON text is nested too deeply'] as const),
  [nested(200_000), 'The body is too large'],
  [membersOf(501), 'The JSON text has too many members'],
  [membersOf(100_000), 'The body is too large'],
  [`{"redirect_uris":[${Array(101).fill('""').join()}]}`, 'An array in the JSON text is too long'],
  [`{"client_name":"${'x'.repeat(16_385)}"}`, 'A string in the JSON text is too long'],
  ['{"client_name":"a","client_name":"a"}', REPEATED],
  ['{"client_name":"a","\\u0063lient_name":"b"}', REPEATED],
  ['{"data":{"a":1,"a":2}}', REPEATED],
  ['{"__proto__":{"polluted":true}}', RESERVED],
  ['{"data":{"\\u005f_proto__":{"polluted":true}}}', RESERVED],
  ['{"data":{"constructor":{"prototype":{"polluted":true}}}}', RESERVED],
  ['{"data":{"n":1e400}}', 'A number in the JSON text is not usable'],
];

/** Values of `Content-Type` that are not the one accepted here. */
export const OTHER_MEDIA_TYPES: readonly string[] = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json-patch+json',
  'application/ld+json',
  'application/json;',
  'application/json; charset=utf-16',
  'application/json; charset=iso-8859-1',
  'application/json, text/plain',
  'application/json text/plain',
  'application/jsonp',
  'application/jose',
  '*/*',
  'json',
];

function nested(depth: number): string {
  return `{"data":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
}

function membersOf(count: number): string {
  return JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 1])));
}
