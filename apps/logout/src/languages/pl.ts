import type { LogoutMessages } from './messages.js';

/** Polish. */
export const pl: LogoutMessages = {
  question: 'Wylogować się z {provider}?',
  questionWithClient: 'Wylogować się także z {provider}?',
  sentByClient: 'Wylogowujesz się z aplikacji {client}.',
  consequence:
    'Poprosimy też o wylogowanie Cię wszystkie aplikacje, do których logujesz się przez {provider}.',
  accept: 'Tak, wyloguj',
  decline: 'Nie, nie wylogowuj',
  declineWithClient: 'Nie, tylko z aplikacji {client}',
  anotherLogin: 'To żądanie dotyczy innego konta niż obecnie używane.',
  badHint: 'Nie udało się zweryfikować tego żądania, dlatego nie przekierujemy Cię z powrotem do aplikacji.',
  redirectRefused:
    'Nie udało się zweryfikować strony, na którą aplikacja chce Cię przekierować, dlatego zostaniesz tutaj.',
  redirectNotRegistered:
    'Adres strony powrotnej nie jest zarejestrowany dla aplikacji {client}, dlatego zostaniesz tutaj.',
  answeredBefore:
    'Odpowiedź została już zapisana, ale nadal korzystasz z tego konta. Możesz wybrać ponownie.',
  questionChanged: 'Ta strona była nieaktualna. Wybierz ponownie.',
  endedTitle: 'Wylogowano',
  ended: 'Wylogowano Cię z {provider}.',
  stillTitle: 'Nie wylogowano Cię z {provider}',
  kept: 'Nic się nie zmieniło.',
  left: 'Zakończono tylko Twoją sesję w aplikacji {client}.',
  notLoggedInTitle: 'Brak zalogowanego konta',
  notLoggedIn: 'W tej przeglądarce nie ma zalogowanego konta {provider}.',
  asking: 'Prosimy Twoje aplikacje o wylogowanie Cię…',
  asked:
    'Poprosiliśmy te aplikacje o wylogowanie Cię. Jeśli w którejś z nich nadal trwa Twoja sesja, wyloguj się tam.',
  someFailed:
    'Nie udało się połączyć z niektórymi aplikacjami i Twoja sesja może w nich nadal trwać. Otwórz je i wyloguj się.',
  allConfirmed: 'Wszystkie te aplikacje potwierdziły wylogowanie.',
  waiting: 'Poczekaj…',
  notified: 'Wysłano prośbę o wylogowanie',
  confirmed: 'Wylogowano',
  retrying: 'Ponawiamy próby',
  failed: 'Brak połączenia',
  oneMoreStepTitle: 'Jeszcze jeden krok',
  oneMoreStep: 'Aplikacja przekierowała Cię tutaj, aby Cię wylogować.',
  badRequest: 'Nie udało się odczytać tego żądania. Wróć do aplikacji i spróbuj ponownie.',
  fault: 'Problem leży po naszej stronie. Możliwe, że wylogowanie nie nastąpiło. Spróbuj ponownie za chwilę.',
  tryAgain: 'Przejdź do strony wylogowania',
};
