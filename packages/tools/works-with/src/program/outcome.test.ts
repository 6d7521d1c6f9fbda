import { describe, expect, it } from 'vitest';
import { isGood, outcomeOf } from './outcome.js';

const VERSION = '{"version":"1.2.3"}';
const linesOf = (...lines: string[]) => lines.join('\n');

describe('the output of a program', () => {
  it('gives its version and steps, ignoring other output of its library', () => {
    const printed = linesOf('INFO starting', VERSION, '{"step":"discovery","worked":true}', '');
    const outcome = outcomeOf(printed, undefined);
    expect(outcome).toEqual({
      kind: 'ran',
      version: '1.2.3',
      steps: [{ step: 'discovery', worked: true }],
    });
    expect(isGood(outcome)).toBe(true);
  });

  it('is good with a failed step only where the server explains the refusal', () => {
    const refusal =
      '{"step":"par","worked":false,"refusal":"the client is registered for client_secret_basic"}';
    expect(isGood(outcomeOf(linesOf(VERSION, refusal), undefined))).toBe(true);
    const unexplained = '{"step":"par","worked":false,"note":"error=invalid_client"}';
    expect(isGood(outcomeOf(linesOf(VERSION, unexplained), undefined))).toBe(false);
  });

  it.each([
    ['no version', linesOf('{"step":"x","worked":true}'), 'it reported no version'],
    ['no step', VERSION, 'it reported no step'],
    [
      'a line of another form',
      linesOf(VERSION, '{"step":"x","worked":true}', '{"step":"y"}'),
      'it wrote a line that is neither a version nor a step: {"step":"y"}',
    ],
  ])('fails with %s', (_what, printed, problem) => {
    const outcome = outcomeOf(printed, undefined);
    expect(outcome).toMatchObject({ kind: 'failed', problem });
    expect(isGood(outcome)).toBe(false);
  });
});
