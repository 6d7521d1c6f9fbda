/** Screenshots of one page. */
export interface PageView {
  readonly chapter: string;
  readonly name: string;
  readonly title: string;
  readonly files: readonly string[];
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
h2 { margin-top: 3rem; border-bottom: 1px solid; }
.views { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; }
figure { margin: 0; }
figcaption { font-size: .875rem; }
img { max-height: 15.5rem; max-width: 100%; border: 1px solid gray; }
`;

/** The page that shows the screenshots of a tour in order, by chapter. */
export function pictureIndex(views: readonly PageView[]): string {
  const chapters = [...new Set(views.map(({ chapter }) => chapter))];
  const sections = chapters.map((chapter) => {
    const own = views.filter((view) => view.chapter === chapter).map(pageSection);
    return `<h2>${escaped(chapter)}</h2>\n${own.join('\n')}`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pages of the tour</title>
<style>${STYLE}</style>
<h1>Pages of the tour</h1>
<p>${views.length} pages in the order in which the browser opened them.</p>
${sections.join('\n')}
</html>
`;
}

function pageSection({ name, title, files }: PageView): string {
  const figures = files.map(
    (file) =>
      `<figure><a href="${encodeURIComponent(file)}"><img src="${encodeURIComponent(file)}" alt="${escaped(title)}" loading="lazy"></a><figcaption>${escaped(captionOf(file, name))}</figcaption></figure>`,
  );
  return `<h3>${escaped(title)} <small>(${escaped(name)})</small></h3>\n<div class="views">\n${figures.join('\n')}\n</div>`;
}

/** `360 light` of `07-login-360-light.png`. */
function captionOf(file: string, name: string): string {
  const start = file.indexOf(name) + name.length;
  return file.slice(start, -'.png'.length).replaceAll('-', ' ').trim();
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
