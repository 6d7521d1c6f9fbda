import { expect, it } from 'vitest';
import { pageBlocks, replaceTexts } from './page-blocks.js';

const PAGE = `# Title

\`\`\`js server.js
# no heading
start();
\`\`\`

## 1. Start

Text with \`code\`.

\`\`\`sh background
node server.js
\`\`\`

\`\`\`text
ready
\`\`\`
`;

it('finds every block with its language, its information and the heading above it', () => {
  expect(pageBlocks(PAGE)).toEqual([
    { heading: 'Title', language: 'js', info: 'server.js', text: '# no heading\nstart();\n' },
    { heading: '1. Start', language: 'sh', info: 'background', text: 'node server.js\n' },
    { heading: '1. Start', language: 'text', info: '', text: 'ready\n' },
  ]);
});

it('replaces each text once, also where its replacement contains another one', () => {
  const ports = new Map([
    ['3000', '40017'],
    ['4001', '53000'],
  ]);
  expect(replaceTexts('3000, 4001', ports)).toBe('40017, 53000');
  expect(replaceTexts('npm i --save (3000)', new Map([['(3000)', '3001']]))).toBe('npm i --save 3001');
});
