import { isJsonObject, JsonError, type JsonObject, parseJson } from '@vestibule/protocol/json';
import { parseRegistrationScope, type Scope } from '@vestibule/scopes';
import { type TObject, Type } from 'typebox';
import { sentText } from '../../frame/sent-text.js';

/** The rights that have a check box, in their order: the name of the field, the scope value, and what it permits. */
export const RIGHTS = [
  ['right_code', 'client-reg:grant:code', 'the authorization code grant'],
  ['right_refresh', 'client-reg:grant:refresh', 'refresh tokens'],
  ['right_client', 'client-reg:grant:client', 'the client credentials grant'],
  ['right_implicit', 'client-reg:grant:implicit', 'the implicit grant'],
  ['right_password', 'client-reg:grant:password', 'the password grant'],
  ['right_jwt', 'client-reg:grant:jwt', 'the JWT bearer grant'],
  ['right_saml', 'client-reg:grant:saml', 'the SAML bearer grant'],
  ['right_scope', 'client-reg:scope', 'any scope values'],
  ['right_data', 'client-reg:data', 'custom data'],
  ['right_id', 'client-reg:set-id', 'choosing the client identifier (admin)'],
  ['right_secret', 'client-reg:set-secret', 'choosing the client secret (admin)'],
  ['right_all', 'client-reg', 'everything, as with the master token (admin)'],
] as const;

const OTHER_FIELDS = ['more_rights', 'uses', 'lifetime', 'label', 'template', 'format'] as const;

/** A field of the form. */
export type IssueField = (typeof RIGHTS)[number][0] | (typeof OTHER_FIELDS)[number];

const FIELDS: readonly IssueField[] = [...RIGHTS.map(([name]) => name), ...OTHER_FIELDS];

/** The fields of the form. */
export const IssueForm: TObject = Type.Object(
  Object.fromEntries(FIELDS.map((name) => [name, Type.Optional(Type.String())])),
);

/** What was entered, by field. */
export type EnteredIssue = { readonly [Field in IssueField]?: string };

/** What is wrong with it, by field, or in general. */
export type IssueProblems = { readonly [Field in IssueField | 'general']?: string };

/** A token to issue. */
export interface IssueRequest {
  readonly scope: Scope;
  readonly uses: number;
  /** Absent for the lifetime of the settings. */
  readonly lifetimeSeconds?: number;
  readonly label?: string;
  readonly metadataTemplate?: JsonObject;
  readonly format: 'identifier' | 'jwt';
}

/** Returns the fields that were sent. */
export function enteredIssue(sent: object): EnteredIssue {
  const entered: { [Field in IssueField]?: string } = {};
  for (const name of FIELDS) {
    const value = sentText(sent, name);
    if (value !== undefined) entered[name] = value;
  }
  return entered;
}

/** A value, or what is wrong with what was entered. */
type Reading<Value> = { readonly value: Value } | { readonly problem: string };

const MAX_USES = 1_000_000;
const MAX_LIFETIME_SECONDS = 31_536_000;
const MAX_LABEL_LENGTH = 255;

/** Parses what was entered; finds every problem at once. */
export function parseIssue(entered: EnteredIssue): IssueRequest | { readonly problems: IssueProblems } {
  const problems: { [Field in IssueField]?: string } = {};
  const take = <Value>(name: IssueField, reading: Reading<Value>): Value | undefined => {
    if ('value' in reading) return reading.value;
    problems[name] = reading.problem;
    return undefined;
  };
  const { uses: typedUses = '1', lifetime, label, template, format = 'identifier' } = entered;
  const scope = take('more_rights', readScope(entered));
  const uses = take('uses', readInteger(typedUses, MAX_USES));
  const lifetimeSeconds = lifetime && take('lifetime', readInteger(lifetime, MAX_LIFETIME_SECONDS));
  const metadataTemplate = template && take('template', readTemplate(template));
  const chosenFormat = take('format', readFormat(format));
  if (label !== undefined && label.length > MAX_LABEL_LENGTH)
    problems.label = `It must have at most ${MAX_LABEL_LENGTH} characters.`;
  if (scope === undefined || uses === undefined || chosenFormat === undefined) return { problems };
  if (Object.keys(problems).length > 0) return { problems };
  return {
    scope,
    uses,
    format: chosenFormat,
    ...(typeof lifetimeSeconds === 'number' && { lifetimeSeconds }),
    ...(label !== undefined && { label }),
    ...(typeof metadataTemplate === 'object' && { metadataTemplate }),
  };
}

function readScope(entered: EnteredIssue): Reading<Scope> {
  const chosen = RIGHTS.filter(([name]) => entered[name] !== undefined).map(([, value]) => value);
  const more = (entered.more_rights ?? '').split(' ').filter((value) => value !== '');
  if (chosen.length + more.length === 0) return { problem: 'Choose at least one right.' };
  const scope = parseRegistrationScope([...chosen, ...more].join(' '));
  if (scope !== undefined) return { value: scope };
  return { problem: 'It must contain only client-reg scope values, separated by spaces.' };
}

function readInteger(given: string, maximum: number): Reading<number> {
  const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
  if (value >= 1 && value <= maximum) return { value };
  return { problem: `It must be a whole number from 1 to ${maximum}.` };
}

function readFormat(given: string): Reading<IssueRequest['format']> {
  if (given === 'identifier' || given === 'jwt') return { value: given };
  return { problem: 'There is no such format.' };
}

/** As large as the metadata of a client. */
const TEMPLATE_LIMITS = { maxDepth: 12, maxMembers: 1_000 };

function readTemplate(given: string): Reading<JsonObject> {
  try {
    const value = parseJson(given, TEMPLATE_LIMITS);
    return isJsonObject(value) ? { value } : { problem: 'It must be a JSON object.' };
  } catch (error) {
    if (error instanceof JsonError) return { problem: `${error.message}.` };
    throw error;
  }
}
