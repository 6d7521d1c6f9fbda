const escaped = (text) => String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const page = (title, content) => `<!doctype html><html lang="en"><title>${title}</title>${content}</html>`;

export const problemPage = (text) => page('Sorry', `<p>${escaped(text)}</p>`);

export const loginPage = ({ client_name: name }, next) =>
  page(
    'Sign in',
    `<h1>Sign in${name ? ` to ${escaped(name)}` : ''}</h1>
<form method="post" action="/login"><input type="hidden" name="next" value="${escaped(next)}">
<input name="name" aria-label="Name"><input name="password" type="password" aria-label="Password">
<button>Sign in</button></form>`,
  );

export const accountPage = (name) =>
  name === undefined
    ? problemPage('You are signed out.')
    : page(
        'Account',
        `<p>${escaped(name)}</p><form method="post" action="/signout"><button>Sign out</button></form>`,
      );
