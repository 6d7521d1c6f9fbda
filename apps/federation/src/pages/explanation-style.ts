import { pageStyle } from '@vestibule/http/pages';

/** The common style, wider and with a tree. */
export const EXPLANATION_STYLE = pageStyle({
  moreStyle: `
main { max-width: 64rem; }
h2 { margin: 1.5rem 0 .5rem; font-size: 1.125rem; } h3 { margin: 1rem 0 .25rem; font-size: 1rem; }
.good { color: #1a7f37; font-weight: 600; } .bad { color: var(--alert); font-weight: 600; }
@media (prefers-color-scheme: dark) { .good { color: #57d27a; } }
.faint { color: var(--faint); font-size: .875rem; }
.tree, .tree ul { list-style: none; margin: 0; padding-inline-start: 0; }
.tree ul { margin-inline-start: .625rem; padding-inline-start: 1.25rem; border-inline-start: 2px solid var(--line); }
.tree li { position: relative; padding: .375rem 0; }
.tree ul > li::before { content: ''; position: absolute; inset-inline-start: -1.25rem; top: 1.25rem; width: 1rem;
  border-top: 2px solid var(--line); }
.node { display: inline-block; padding: .25rem .625rem; border: 1px solid var(--line); border-radius: .5rem; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th, td { padding: .25rem .5rem .25rem 0; text-align: start; vertical-align: top; border-top: 1px solid var(--line); }
th, .short { white-space: nowrap; }
@media (max-width: 56rem) {
  table, tbody, tr, td { display: block; } tr:first-child { display: none; }
  tr { padding: .25rem 0; border-top: 1px solid var(--line); } td { padding: 0; border: 0; }
  td::before { content: attr(data-name) ' '; color: var(--faint); }
}
select { width: 100%; margin: 0 0 1rem; padding: .625rem .75rem; font: inherit; color: inherit; background: var(--card);
  border: 1px solid var(--faint); border-radius: .5rem; }
details p { margin: .5rem 0; }
details { margin: .75rem 0; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .5rem; }
summary { cursor: pointer; font-weight: 600; }
pre { margin: .25rem 0; white-space: pre-wrap; font: .8125rem/1.4 ui-monospace, monospace; }
`,
});
