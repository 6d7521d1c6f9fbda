import type { DocumentExplanation, DocumentRecord } from '@vestibule/clients/metadata-documents';
import { orderMetadata } from '@vestibule/metadata';
import { plainText, timeText } from '../../frame/plain-text.js';
import { memberFields } from './client-summary.js';

/** Formats an explanation as text: the verdict, what would be registered, and what is stored. */
export function documentLines(explanation: DocumentExplanation): readonly string[] {
  const { metadata, record, client } = explanation;
  return [
    ...verdict(explanation),
    ...(metadata === undefined ? [] : registrationLines(memberFields(orderMetadata(metadata)))),
    ...(record === undefined ? [] : recordLines(record)),
    ...(client === undefined
      ? []
      : ['', `Client: ${client.status}, registered ${timeText(client.issuedAt)} (${client.origin})`]),
  ];
}

function verdict({ url, problem }: DocumentExplanation): readonly string[] {
  if (problem === undefined) return [`${plainText(url)} is accepted.`];
  return [
    `${plainText(url)} is refused (${problem.reason}): ${plainText(problem.detail)}`,
    `Clients are told: ${plainText(problem.description)}`,
  ];
}

function registrationLines(members: Readonly<Record<string, string>>): readonly string[] {
  return [
    '',
    'Registers:',
    ...Object.entries(members).map(([name, value]) => `  ${plainText(`${name}: ${value}`)}`),
  ];
}

function recordLines({
  validatedAt,
  freshUntil,
  withdrawnAt,
  problem,
  history,
}: DocumentRecord): readonly string[] {
  return [
    '',
    validatedAt === undefined
      ? 'Stored: never accepted'
      : `Stored: accepted ${timeText(validatedAt)}, counts until ${timeText(freshUntil)}`,
    ...(withdrawnAt === undefined ? [] : [`Missing since ${timeText(withdrawnAt)}`]),
    ...(problem === undefined
      ? []
      : [
          `Refused ${timeText(problem.at)}, tried again after ${timeText(problem.retryAt)}: ${plainText(problem.detail)}`,
        ]),
    ...history.map(({ at, event, detail }) => `  ${timeText(at)} ${event} ${plainText(detail)}`),
  ];
}
