import { expect, it } from 'vitest';
import { requireStrictChallenges } from './strict-challenges.js';

it('parses the examples of RFC 6750 and RFC 9110, and refuses ambiguous challenges', () => {
  const good = [
    'Bearer',
    'Bearer realm="example"',
    'Bearer realm="example", error="invalid_token", error_description="The access token expired"',
    'Basic realm="a", charset="UTF-8", Bearer, DPoP algs="ES256 RS256"',
    'Newauth realm="apps", type=1, title="Login to = apps, x"',
  ];
  for (const value of good) expect(() => requireStrictChallenges(value), value).not.toThrow();
  const bad = [
    '',
    ' Bearer',
    'Bearer ',
    'Bearer  a=b',
    'Bearer a="b',
    'Bearer a="b\\"c"',
    'Bearer a="b"c"',
    'Bearer a="\u00e9"',
    'Bearer a="b\r\nX: y"',
    'Bearer a="b",',
    'Bearer a="b" c="d"',
    'Bearer a="b", A="c"',
    'Bearer a',
    'Bearer, a=b',
  ];
  for (const value of bad) expect(() => requireStrictChallenges(value), value).toThrow(TypeError);
});
