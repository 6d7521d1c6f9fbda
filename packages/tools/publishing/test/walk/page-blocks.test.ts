import { expect, it } from 'vitest';
import { pageBlocks } from './page-blocks.js';

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
