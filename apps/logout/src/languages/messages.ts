/** The sentences of the pages. `{provider}` and `{client}` stand for names; other braces are not known. */
export interface Messages {
  /** The question, where a client sent the end-user. */
  readonly questionWithClient: string;
  /** The question, where nobody knows who sent the end-user. */
  readonly question: string;
  readonly sentByClient: string;
  readonly consequence: string;
  readonly accept: string;
  readonly decline: string;
  readonly anotherLogin: string;
  readonly badHint: string;
  readonly redirectRefused: string;
  readonly answeredBefore: string;
  readonly questionChanged: string;
  readonly endedTitle: string;
  readonly ended: string;
  readonly leftTitle: string;
  readonly left: string;
  readonly keptTitle: string;
  readonly kept: string;
  readonly nobodyTitle: string;
  readonly nobody: string;
  /** While clients are being told. */
  readonly telling: string;
  readonly allTold: string;
  readonly someSilent: string;
  /** What became of telling one client. */
  readonly waiting: string;
  readonly told: string;
  readonly silent: string;
  readonly goOn: string;
  readonly mayClose: string;
  /** Stands for a client without a name. */
  readonly unnamedClient: string;
  readonly oneMoreStepTitle: string;
  readonly oneMoreStep: string;
  readonly continue: string;
  readonly errorTitle: string;
  readonly badRequest: string;
  readonly badMethod: string;
  readonly fault: string;
}

/** A language that pages can be shown in. */
export interface Language {
  readonly direction: 'ltr' | 'rtl';
  readonly messages: Messages;
}

/** The languages that there are, by BCP 47 tag in lower case. */
export type Languages = ReadonlyMap<string, Language>;
