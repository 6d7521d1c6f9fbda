import { DomainError } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { errorRecord } from './error-record.js';

const CANARY = 'canary-7f3a';

/** Returns what a function throws. */
function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('errorRecord', () => {
  const carriers: readonly (readonly [string, unknown])[] = [
    ['the JSON parser', thrownBy(() => JSON.parse(`{"a":${CANARY}`))],
    ['the URL parser', thrownBy(() => new URL(CANARY))],
    ['an argument check of Node', thrownBy(() => Buffer.from(Symbol(CANARY) as unknown as string))],
    ['a conversion of the engine', thrownBy(() => BigInt(CANARY))],
    [
      'a database',
      Object.assign(new Error(`Key (id)=(${CANARY})`), { code: '23505', detail: CANARY, table: CANARY }),
    ],
    ['a client of Redis', Object.assign(new Error(CANARY), { command: { name: 'get', args: [CANARY] } })],
    [
      'a message with a false frame',
      new Error(`a\n    at ${CANARY} (file:///x.js:1:1)\n    at /x/${CANARY}`),
    ],
    ['a name', Object.assign(new Error('a'), { name: `${CANARY} and more` })],
    ['a code', Object.assign(new Error('a'), { code: `${CANARY} and more` })],
    ['a cause', new Error('a', { cause: new Error(CANARY, { cause: { secret: CANARY } }) })],
    ['siblings', new AggregateError([new Error(CANARY), CANARY], CANARY)],
    ['a text', CANARY],
    ['an object', { message: CANARY, stack: CANARY }],
  ];

  it.each(carriers)('leaves out the message of %s', (_what, error) => {
    expect(JSON.stringify(errorRecord(error))).not.toContain(CANARY);
  });

  it('keeps the stack frames and the chain of causes', () => {
    const record = errorRecord(new Error('outer', { cause: new TypeError('inner') }));
    expect(record.type).toBe('Error');
    expect(record.stack?.[0]).toContain('error-record.test');
    expect(record.cause).toMatchObject({ type: 'TypeError', message: 'inner' });
    expect(record.cause?.stack?.[0]).toContain('error-record.test');
  });

  it('keeps the messages of its own errors and of the operating system', () => {
    expect(errorRecord(new DomainError('server_error', 'public', { detail: 'private' })).message).toBe(
      'private',
    );
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    });
    expect(errorRecord(refused)).toMatchObject({
      code: 'ECONNREFUSED',
      message: 'connect ECONNREFUSED 127.0.0.1:5432',
    });
  });

  it('keeps the SQL state of a database error', () => {
    expect(errorRecord(Object.assign(new Error('x'), { code: '57P01' }))).toMatchObject({ code: '57P01' });
  });

  it('terminates for long and circular chains', () => {
    const circular = new Error('a');
    circular.cause = circular;
    const wide = new AggregateError(Array.from({ length: 1000 }, () => new Error('b')));
    expect(JSON.stringify(errorRecord(circular)).length).toBeLessThan(30_000);
    expect(errorRecord(wide).errors).toHaveLength(3);
  });
});
