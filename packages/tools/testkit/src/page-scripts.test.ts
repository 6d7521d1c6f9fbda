import { expect, it } from 'vitest';
import { readAsOldScript, scriptsIn } from './page-scripts.js';

it('finds every script of a page, whatever its attributes', () => {
  expect(scriptsIn('<p><script>a()</script><SCRIPT type="text/javascript">\nb()</SCRIPT>')).toEqual([
    'a()',
    '\nb()',
  ]);
});

it('parses ECMAScript 5, and rejects newer syntax', () => {
  readAsOldScript('(function () { var a = { b: function (c) { return c; } }; a.b(1); })();');
  const newer = [
    'let a = 1',
    'const a = 1',
    'f(() => 1)',
    'function f({ a }) {}',
    'f(...a)',
    'a?.b',
    'a ?? b',
    '`a`',
    'var o = { a }',
    'for (var a of b) f(a)',
    'class A {}',
    'try { a() } catch { b() }',
    'async function a() {}',
  ];
  for (const text of newer) expect(() => readAsOldScript(text), text).toThrow(SyntaxError);
});
