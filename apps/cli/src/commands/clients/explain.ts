import { Command } from '@commander-js/extra-typings';
import type { DocumentExplanation } from '@vestibule/clients/metadata-documents';
import { explainMetadataDocument, MetadataDocumentSettings } from '@vestibule/service/client-registration';
import { loadSettings } from '@vestibule/service/settings';
import type { Cli, CommandFactory } from '../../frame/cli.js';
import { EXIT, misused } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { withStore } from '../../installation/with-store.js';
import { clientSummary } from './client-summary.js';
import { documentLines } from './document-lines.js';

/** `vestibule clients explain` */
export const explainClient: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Fetches a client ID metadata document now and shows why it registers a client or not, what it would register, and what is stored about it. Changes nothing. Exits with 1 if it is refused.',
      )
      .argument('<url>', 'URL of the document, which is the client identifier')
      .action((url) => explain(cli, url)),
    ['clients explain https://app.example/client.json', 'show why a document is accepted or refused'],
  );

async function explain(cli: Cli, url: string): Promise<void> {
  const explanation = await withStore(cli, async ({ store, environment }) => {
    const config = loadSettings(MetadataDocumentSettings, environment);
    const explained = await explainMetadataDocument(config, store, url);
    if (explained === undefined)
      throw misused('Client ID metadata documents are off: set CLIENT_ID_METADATA_DOCUMENTS.');
    return explained;
  });
  cli.terminal.show(explanationValue(explanation), documentLines(explanation));
  if (explanation.problem !== undefined) cli.exitWith(EXIT.failed);
}

/** The explanation for scripts. Times are in seconds since the Unix epoch. */
function explanationValue({ url, metadata, problem, record, client }: DocumentExplanation): object {
  return {
    url,
    accepted: problem === undefined,
    ...(problem && { refusal: problem }),
    ...(metadata && { metadata }),
    ...(record && {
      document: {
        ...(record.validatedAt !== undefined && { validated_at: record.validatedAt }),
        ...(record.freshUntil !== undefined && { fresh_until: record.freshUntil }),
        ...(record.withdrawnAt !== undefined && { withdrawn_at: record.withdrawnAt }),
        ...(record.digest !== undefined && { sha256: record.digest }),
        ...(record.problem && {
          refused_at: record.problem.at,
          retry_at: record.problem.retryAt,
          refusal: record.problem.detail,
        }),
        history: record.history,
      },
    }),
    ...(client && { client: clientSummary(client) }),
  };
}
