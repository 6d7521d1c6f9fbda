import type { ClientChange } from '@vestibule/clients/files';
import { plainText } from '../../frame/plain-text.js';
import { fieldLines, tableLines } from '../../frame/table.js';
import type { FileProblem } from './file-problem.js';
import type { Plan, PlannedChange } from './plan.js';

/** Marks of the kinds of changes. */
const MARKS = { create: '+', update: '~', adopt: '=', deliver_secret: '!' } as const;

const DONE = {
  create: 'created',
  update: 'changed',
  adopt: 'adopted',
  deliver_secret: 'secret to hand over',
};

/** Formats a plan as text: each change with its old and new values, and the counts. */
export function planLines(plan: Plan): readonly string[] {
  return [
    ...plan.changes.flatMap(changeLines),
    ...plan.deletions.map((id) => plainText(`- ${id}: deleted`)),
    ...countLines(plan),
  ];
}

function changeLines({ file, client, change }: PlannedChange): readonly string[] {
  const { action, members, deliversSecret } = change;
  const adopted = action === 'update' && adopts(change) ? ' and adopted' : '';
  const secret = deliversSecret && action !== 'deliver_secret' ? ', with a secret to hand over' : '';
  return [
    plainText(`${MARKS[action]} ${client.id} (${file}): ${DONE[action]}${adopted}${secret}`),
    ...members.flatMap(({ member, before, after }) =>
      action === 'create'
        ? [plainText(`    ${member}: ${JSON.stringify(after)}`)]
        : [
            plainText(`    ${member}:`),
            ...(before === undefined ? [] : [plainText(`      - ${JSON.stringify(before)}`)]),
            ...(after === undefined ? [] : [plainText(`      + ${JSON.stringify(after)}`)]),
          ],
    ),
  ];
}

/** Formats the counts of a plan. */
export function countLines(plan: Plan): readonly string[] {
  const { create, change, adopt, remove, secrets, unchanged } = planCounts(plan);
  return fieldLines({
    'to create': create,
    'to change': change,
    'to adopt': adopt,
    'to delete': remove,
    'secrets to hand over': secrets,
    unchanged,
  });
}

/** Counts the changes of a plan by kind. */
export function planCounts({ changes, deletions, unchanged }: Plan) {
  const of = (action: keyof typeof MARKS) => changes.filter(({ change }) => change.action === action).length;
  return {
    create: of('create'),
    change: of('update'),
    adopt: of('adopt'),
    remove: deletions.length,
    secrets: changes.filter(({ change }) => change.deliversSecret).length,
    unchanged,
  };
}

/** Whether a change takes over a client that had no owner. */
function adopts({ existing }: ClientChange): boolean {
  return existing !== undefined && existing.ownership === undefined;
}

/** A plan as JSON. */
export function planJson(plan: Plan): object {
  return {
    changes: [
      ...plan.changes.map(({ file, client, change }) => ({
        client_id: client.id,
        action: change.action,
        file,
        members: change.members,
        adopts: adopts(change),
        hands_over_secret: change.deliversSecret,
      })),
      ...plan.deletions.map((id) => ({ client_id: id, action: 'delete' })),
    ],
    unchanged: plan.unchanged,
    problems: plan.problems,
  };
}

/** Formats problems as a table. */
export function problemLines(problems: readonly FileProblem[]): readonly string[] {
  return tableLines(
    [
      { title: 'FILE', cell: ({ file }: FileProblem) => file },
      { title: 'CLIENT', cell: ({ client }: FileProblem) => client },
      { title: 'MEMBER', cell: ({ member }: FileProblem) => member },
      { title: 'PROBLEM', cell: ({ problem }: FileProblem) => problem },
    ],
    problems,
  );
}
