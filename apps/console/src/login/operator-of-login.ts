import { type OperatorActor, operatorActor, PROGRAM_LABELS } from '@vestibule/clients';
import { sha256 } from '@vestibule/crypto';
import type { UpstreamLogin } from '@vestibule/service/upstream';
import type { Operator, Role } from '../frame/operator.js';
import { INVISIBLE } from '../frame/shown-text.js';

const MAX_NAME_LENGTH = 80;

/** 51 characters, a hyphen and twelve hexadecimal digits are 64. */
const MAX_WORD_LENGTH = 51;
const DIGEST_LENGTH = 12;
/** A label of audit records that cannot be mistaken for one with a digest. */
const PLAIN_LABEL = /^(?!.*-[0-9a-f]{12}$)[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

const OF_PROGRAMS: ReadonlySet<string> = new Set(PROGRAM_LABELS);

/** The person of a login, with the role that it gives. */
export function operatorOfLogin(
  { subject, claims }: Pick<UpstreamLogin, 'subject' | 'claims'>,
  role: Role,
): Operator {
  const { preferred_username: username, name } = claims;
  const known = [username, name].find((text) => typeof text === 'string' && shown(text) !== '');
  const called = typeof known === 'string' ? known : subject;
  return { subject, name: shown(called), role, actor: actorOf(subject, called) };
}

/**
 * The actor of a person: the subject itself if it is a label that no program has, otherwise a readable word and a digest of
 * the subject. Names are not unique (OpenID Connect Core 1.0 section 5.7), so that a name never is the whole label.
 */
function actorOf(subject: string, called: string): OperatorActor {
  if (called === subject && PLAIN_LABEL.test(subject) && !OF_PROGRAMS.has(subject.toLowerCase()))
    return operatorActor(subject);
  const word = called
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._@-]+/g, '.')
    .replace(/^[^A-Za-z0-9]+/, '');
  const digest = Buffer.from(sha256(subject)).toString('hex').slice(0, DIGEST_LENGTH);
  return operatorActor(`${word.slice(0, MAX_WORD_LENGTH) || 'user'}-${digest}`);
}

function shown(text: string): string {
  const visible = text
    .slice(0, 10 * MAX_NAME_LENGTH)
    .replace(INVISIBLE, '')
    .trim();
  const characters = [...visible];
  return characters.length <= MAX_NAME_LENGTH
    ? visible
    : `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
}
