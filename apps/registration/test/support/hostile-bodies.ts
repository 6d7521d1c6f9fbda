const NOT_JSON = 'The text is not valid JSON';
const NO_OBJECT = 'The body must be a JSON object';
const RESERVED = 'The JSON text uses a reserved member name';
const REPEATED = 'The JSON text repeats a member name';
const CHANGED = 'A number in the JSON text is beyond 2^53 and must be written as a string';

/** Bodies that no endpoint may parse, each with the description of its refusal. */
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
  [Buffer.from('{"client_name":"\xff"}', 'latin1'), 'The body is not valid UTF-8'],
  [Buffer.from('{"client_name":"\xed\xa0\x80"}', 'latin1'), 'The body is not valid UTF-8'],
  ...[18, 5_000].map((depth) => [nested(depth), 'data: The JSON text is nested too deeply'] as const),
  [nested(200_000), 'The body is too large'],
  [membersOf(100_000), 'The body is too large'],
  ['{"client_name":"a","client_name":"a"}', `client_name: ${REPEATED}`],
  ['{"client_name":"a","\\u0063lient_name":"b"}', `client_name: ${REPEATED}`],
  ['{"data":{"a":1,"a":2}}', `data: ${REPEATED}`],
  ['{"data":{"\\u005f_proto__":{"polluted":true}}}', `data: ${RESERVED}`],
  ['{"data":{"constructor":{"prototype":{"polluted":true}}}}', `data: ${RESERVED}`],
  ...['1e400', '9007199254740993', '-12345678901234567890'].map(
    (number) => [`{"data":{"n":[${number}]}}`, `data: ${CHANGED}`] as const,
  ),
];

/** Values of `Content-Type` other than the accepted one. */
export const OTHER_MEDIA_TYPES: readonly string[] = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json-patch+json',
  'application/ld+json',
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
