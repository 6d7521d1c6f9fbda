import { expect, it } from 'vitest';
import { pictureIndex } from './picture-index.js';

it('shows every screenshot under its chapter, with its width and colour scheme', () => {
  const page = pictureIndex([
    { chapter: '1. A logs in', name: 'login', title: 'Log in', files: ['01-login-360-light.png'] },
    { chapter: '2. "A" & <B>', name: 'logout', title: 'Logging out', files: ['02-leaving.png'] },
  ]);
  expect(page).toContain('<h2>1. A logs in</h2>\n<h3>Log in <small>(login)</small></h3>');
  expect(page).toContain(
    '<a href="01-login-360-light.png"><img src="01-login-360-light.png" alt="Log in" loading="lazy"></a><figcaption>360 light</figcaption>',
  );
  expect(page).toContain('<h2>2. &quot;A&quot; &amp; &lt;B></h2>');
});
