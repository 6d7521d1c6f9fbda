import type { LogoutMessages } from './messages.js';

/** Italian. */
export const it: LogoutMessages = {
  question: 'Vuoi uscire da {provider}?',
  questionWithClient: 'Vuoi uscire anche da {provider}?',
  sentByClient: 'Stai uscendo da {client}.',
  consequence:
    'Chiederemo anche a tutte le app a cui hai effettuato l’accesso con {provider} di disconnetterti.',
  accept: 'Sì, esci',
  decline: 'No, mantieni l’accesso',
  declineWithClient: 'No, esci solo da {client}',
  anotherLogin: 'Questa richiesta riguarda un account diverso da quello con cui hai effettuato l’accesso.',
  badHint: 'Non siamo riusciti a verificare questa richiesta, quindi non ti rimanderemo all’app.',
  redirectRefused:
    'Non siamo riusciti a verificare la pagina a cui l’app vuole indirizzarti, quindi rimarrai qui.',
  redirectNotRegistered: 'L’indirizzo web a cui tornare non è registrato per {client}, quindi rimarrai qui.',
  answeredBefore: 'Hai già risposto e il tuo accesso è ancora attivo. Puoi scegliere di nuovo.',
  questionChanged: 'Questa pagina non era più aggiornata. Scegli di nuovo.',
  endedTitle: 'Disconnessione eseguita',
  ended: 'Il tuo accesso a {provider} è terminato.',
  stillTitle: 'Il tuo accesso a {provider} è ancora attivo',
  kept: 'Non è cambiato nulla.',
  left: 'È terminato solo il tuo accesso a {client}.',
  notLoggedInTitle: 'Accesso non effettuato',
  notLoggedIn: 'In questo browser non hai effettuato l’accesso a {provider}.',
  asking: 'Stiamo chiedendo alle tue app di disconnetterti…',
  asked:
    'Abbiamo chiesto a queste app di disconnetterti. Se in una di esse l’accesso è ancora attivo, esci direttamente dall’app.',
  someFailed:
    'Non siamo riusciti a contattare alcune app, quindi l’accesso potrebbe essere ancora attivo. Apri queste app ed esci dal tuo account.',
  allConfirmed: 'Tutte queste app hanno confermato la disconnessione.',
  waiting: 'Attendi…',
  notified: 'Disconnessione richiesta',
  confirmed: 'Disconnessione confermata',
  retrying: 'Nuovo tentativo in corso',
  failed: 'Non raggiungibile',
  oneMoreStepTitle: 'Ancora un passaggio',
  oneMoreStep: 'Un’app ti ha indirizzato qui per uscire.',
  badRequest: 'Non siamo riusciti a leggere questa richiesta. Torna all’app e riprova.',
  fault: 'Il problema è nostro. Il tuo accesso potrebbe essere ancora attivo. Riprova tra poco.',
  tryAgain: 'Vai alla pagina di uscita',
};
