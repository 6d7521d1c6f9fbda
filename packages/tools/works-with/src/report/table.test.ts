import { describe, expect, it } from 'vitest';
import type { Outcome } from '../program/outcome.js';
import { insertRows, type Reported, rowOf } from './table.js';

const DOCUMENT = `# Works with

<!-- works-with:begin -->

| program | library |
|---|---|
| \`gone\` | Gone 1 |
| \`zebra\` | Zebra 1 |

<!-- works-with:end -->

after
`;

function reported(name: string, outcome: Outcome, settings = ''): Reported {
  const manifest = {
    title: 'Authlib',
    language: 'Python',
    registry: 'PyPI',
    stack: {},
    settings,
    needs: [],
    prepare: [],
    run: 'true',
    ci: false,
  };
  return { program: { name, folder: '/', manifest }, outcome, date: '2026-03-01' };
}

describe('the row of a program', () => {
  it('shows what worked, what failed and what to configure', () => {
    const steps = [
      { step: 'discovery', worked: true },
      { step: 'login', worked: true },
      { step: 'par', worked: false, note: 'error=invalid_client | <x>\nat y' },
      { step: 'register', worked: false, refusal: 'scope: not allowed' },
    ];
    expect(rowOf(reported('authlib', { kind: 'ran', version: '1.6.5', steps }, 'Set `x` to y.'))).toBe(
      '| `authlib` | Authlib 1.6.5 | Python (PyPI) | discovery · login | par: error=invalid_client &#124; &lt;x> at y; ' +
        'register: refused “scope: not allowed” | Set `x` to y. | 2026-03-01 |',
    );
  });

  it('shows why a program failed', () => {
    const row = rowOf(reported('authlib', { kind: 'failed', problem: 'it reported no step', steps: [] }));
    expect(row).toBe(
      '| `authlib` | Authlib | Python (PyPI) |  | failed: it reported no step | nothing | 2026-03-01 |',
    );
  });
});

describe('the table', () => {
  const ran: Outcome = { kind: 'ran', version: '2', steps: [{ step: 'login', worked: true }] };

  it('gets the rows of the programs that ran, in order, and loses those of removed programs', () => {
    const text = insertRows(DOCUMENT, [reported('authlib', ran)], ['authlib', 'zebra']);
    expect(text.split('\n')).toEqual([
      '# Works with',
      '',
      '<!-- works-with:begin -->',
      '',
      '| program | library | language | worked | did not work | what to set | run on |',
      '|---|---|---|---|---|---|---|',
      '| `authlib` | Authlib 2 | Python (PyPI) | login |  | nothing | 2026-03-01 |',
      '| `zebra` | Zebra 1 |',
      '',
      '<!-- works-with:end -->',
      '',
      'after',
      '',
    ]);
  });

  it('keeps the row of a program that could not be run', () => {
    const notRun: Outcome = { kind: 'not run', problem: 'lacks python3', steps: [] };
    expect(insertRows(DOCUMENT, [reported('zebra', notRun)], ['zebra'])).toContain('| `zebra` | Zebra 1 |');
  });

  it('requires its marks', () => {
    expect(() => insertRows('# Nothing', [], [])).toThrow('no place for the table');
  });
});
