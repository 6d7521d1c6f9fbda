import { pageColors } from '@vestibule/http/pages';

/** The style sheet: the colours of the logout pages, light and dark, from 360 px on. */
export const STYLE = `
${pageColors({ light: '--good: #1a6b2f; --waiting: #7a4a00;', dark: '--good: #7ddf95; --waiting: #f0b95b;' })}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
.skip { position: absolute; inset-inline-start: -99rem; } .skip:focus { inset-inline-start: 1rem; top: .5rem; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.5rem; padding: .75rem 1rem;
  background: var(--card); border-bottom: 1px solid var(--line); }
.brand { margin: 0; font-weight: 700; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: .25rem 0; text-decoration: none; }
nav a[aria-current] { font-weight: 700; color: var(--text); box-shadow: 0 2px 0 var(--accent); }
.who { display: flex; align-items: center; gap: .75rem; margin: 0 0 0 auto; } .who small { color: var(--faint); }
main { max-width: 75rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; overflow-wrap: anywhere; }
main:focus { outline: none; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; } h2 { margin: 0 0 .75rem; font-size: 1.125rem; }
section { margin: 0 0 1.25rem; padding: 1rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .75rem; }
p, ul, dl { margin: 0 0 1rem; } section > :last-child { margin-bottom: 0; } table + p, form + p { margin-top: .75rem; }
.name { overflow-wrap: break-word; } td ul { list-style: none; margin: 0; padding: 0; }
a { color: var(--accent); } .none, .hint { color: var(--faint); } .hint { font-size: .875rem; margin: 0 0 .5rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .875em; } pre { overflow-x: auto; white-space: pre-wrap; }
.alert { color: var(--alert); font-weight: 600; }
.notice { padding: .5rem .75rem; border: 1px solid var(--good); border-radius: .5rem; color: var(--good); }
.state { font-weight: 600; white-space: nowrap; } .good { color: var(--good); } .waiting { color: var(--waiting); } .bad { color: var(--alert); }
dl > div { display: grid; grid-template-columns: minmax(9rem, 16rem) 1fr; gap: .25rem 1rem; padding: .25rem 0;
  border-bottom: 1px solid var(--line); } dl > div:last-child { border-bottom: 0; } dt { color: var(--faint); } dd { margin: 0; }
form, table { margin: 0 0 1rem; } .actions form, form > :last-child { margin: 0; } main > form { margin-bottom: 1.25rem; }
table { width: 100%; border-collapse: collapse; } caption { text-align: start; color: var(--faint); padding-bottom: .25rem; }
th, td { padding: .375rem .5rem; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-size: .875rem; color: var(--faint); } .number { text-align: end; font-variant-numeric: tabular-nums; }
.field { margin: 0 0 .75rem; } label { display: block; margin: 0 0 .25rem; font-weight: 600; }
input, select, textarea { width: 100%; max-width: 40rem; padding: .5rem .625rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--faint); border-radius: .5rem; }
textarea { font-family: ui-monospace, monospace; font-size: .875rem; max-width: none; }
input[type=checkbox], input[type=radio] { width: auto; }
.check { display: flex; gap: .5rem; align-items: baseline; } .check label { margin: 0; font-weight: 400; }
fieldset { margin: 0 0 .75rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .5rem; }
legend, summary { font-weight: 600; }
.filters { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .25rem 1rem; align-items: start; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; } .actions + * { margin-top: 1rem; }
button, .button { padding: .5rem 1rem; font: inherit; font-weight: 600; border-radius: .5rem; cursor: pointer;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); text-decoration: none; }
td button { white-space: nowrap; } button.other { background: transparent; color: var(--accent); padding: .25rem .75rem; }
button.danger { border-color: var(--alert); background: transparent; color: var(--alert); }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1.25rem; }
svg { max-width: 100%; height: auto; }
.plot { margin: 0; } .plot figcaption { font-weight: 600; } .plot svg { display: block; width: 100%; height: 5rem;
  border-bottom: 1px solid var(--line); } .ends { display: flex; justify-content: space-between; margin: 0;
  font-size: .875rem; color: var(--faint); } .legend { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: 0; margin: 0 0 .5rem;
  list-style: none; font-size: .875rem; }
.key { display: inline-block; width: .75rem; height: .75rem; margin-inline-end: .375rem; border-radius: .125rem; }
.s0 { fill: var(--accent); background: var(--accent); } .s1 { fill: var(--waiting); background: var(--waiting); }
.s2 { fill: var(--alert); background: var(--alert); } .s3 { fill: var(--good); background: var(--good); }
.s4 { fill: var(--text); background: var(--text); } .s5 { fill: var(--faint); background: var(--faint); }
.tree, .tree ul { list-style: none; margin: 0 0 1rem; padding: 0; } .tree ul { margin: 0 0 0 .625rem; padding-inline-start: 1.25rem;
  border-inline-start: 2px solid var(--line); } .tree li { position: relative; padding: .375rem 0; }
.tree ul > li::before { content: ''; position: absolute; inset-inline-start: -1.25rem; top: 1.25rem; width: 1rem;
  border-top: 2px solid var(--line); } .tree p { margin: .125rem 0; font-size: .875rem; }
.entity { display: inline-block; max-width: 100%; padding: .25rem .625rem; border: 1px solid var(--line); border-radius: .5rem; }
details { margin: 0 0 .75rem; } summary { cursor: pointer; } h3 { margin: 1rem 0 .25rem; font-size: 1rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (min-width: 40rem) { td:first-child { min-width: 13rem; } th { overflow-wrap: normal; } }
@media (min-width: 76rem) { td { min-width: 6.5rem; } td:first-child { min-width: 15rem; } td time { white-space: nowrap; } }
@media (max-width: 40rem) { .who { margin: 0; } dl > div { grid-template-columns: 1fr; } ${rowsAsLists('table')} }
@media (max-width: 60rem) { ${rowsAsLists('table.many')} }
`;

/** On a narrow screen each row of a table is a list, in which each value has the title of its column. */
function rowsAsLists(table: string): string {
  return `${table}, ${table} :is(caption, tbody, tr, td) { display: block; } ${table} thead { position: absolute; clip-path: inset(50%); }
  ${table} tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  ${table} td { border: 0; padding: .125rem 0; text-align: start; }
  ${table} td::before { content: attr(data-title) ": "; color: var(--faint); }`;
}
