const escaped = (text) => String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const page = (title, content) => `<!doctype html><html lang="en"><title>${title}</title>${content}</html>`;

export const problemPage = (text) => page('Sorry', `<p>${escaped(text)}</p>`);

export const loginPage = ({ client_name: name }, next) =>
  page(
    'Log in',
    `<h1>Log in${name ? ` to ${escaped(name)}` : ''}</h1>
<form method="post" action="/login"><input type="hidden" name="next" value="${escaped(next)}">
<input name="name" aria-label="Name"><input name="password" type="password" aria-label="Password">
<button>Log in</button></form>`,
  );

export const accountPage = (name) =>
  name === undefined
    ? problemPage('You are logged out.')
    : page(
        'Account',
        `<p>${escaped(name)}</p><form method="post" action="/signout"><button>Log out</button></form>`,
      );
