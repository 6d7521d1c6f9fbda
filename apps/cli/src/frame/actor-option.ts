import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { type OperatorActor, operatorActor, PROGRAM_LABELS, programActor } from '@vestibule/clients';

/** Operator name in audit events by default. */
const DEFAULT_LABEL = 'cli' satisfies (typeof PROGRAM_LABELS)[number];

/** `--actor` option of every command that changes something: the operator name in audit events. */
export function actorOption() {
  return new Option('--actor <label>', 'operator name in audit events')
    .argParser(parseActor)
    .default(programActor(DEFAULT_LABEL), DEFAULT_LABEL);
}

function parseActor(label: string): OperatorActor {
  if (label !== DEFAULT_LABEL && PROGRAM_LABELS.some((reserved) => reserved === label.toLowerCase()))
    throw new InvalidArgumentError('It is the name under which a program acts.');
  try {
    return operatorActor(label);
  } catch {
    throw new InvalidArgumentError(
      'It must have 1 to 64 letters, digits, dots, hyphens, underscores and at signs, and start with a letter or digit.',
    );
  }
}
