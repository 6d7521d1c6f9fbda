import type { PageMessages } from './messages.js';

/** Polish. */
export const pl: PageMessages = {
  demo: 'To jest wersja demonstracyjna do testów lokalnych. Nie wpisuj prawdziwego hasła.',
  logIn: 'Zaloguj się',
  loginFor: 'Zaloguj się, aby przejść do aplikacji {client}.',
  username: 'Nazwa użytkownika',
  password: 'Hasło',
  cancel: 'Anuluj i wróć',
  wrongPassword: 'Nazwa użytkownika lub hasło są nieprawidłowe.',
  consentTitle: 'Zezwolić na dostęp?',
  consent: 'Aplikacja {client} prosi o dostęp do Twojego konta:',
  accessResource: 'Uzyskać dostęp do {resource}:',
  confirmAgain: 'Aplikacja {client} prosi o potwierdzenie, że chcesz kontynuować.',
  scopeOpenid: 'Dowiedzieć się, kim jesteś',
  scopeProfile: 'Zobaczyć Twoje imię i nazwisko oraz profil',
  scopeEmail: 'Zobaczyć Twój adres e-mail',
  scopeAddress: 'Zobaczyć Twój adres pocztowy',
  scopePhone: 'Zobaczyć Twój numer telefonu',
  scopeOffline: 'Zachować dostęp, gdy nie używasz aplikacji',
  privacyPolicy: 'Polityka prywatności',
  terms: 'Warunki korzystania z usługi',
  documentHost: 'Tę aplikację publikuje ta witryna:',
  loopbackWarning:
    'Ta aplikacja działa na Twoim urządzeniu, gdzie inne programy mogą się pod nią podszywać. Zezwól na dostęp tylko wtedy, gdy przed chwilą samodzielnie ją uruchomiono.',
  destination: 'Niezależnie od wyboru wrócisz do {site}.',
  allow: 'Zezwól',
  refuse: 'Nie zezwalaj',
  expiredTitle: 'Ta strona wygasła',
  expired: 'Wróć do aplikacji i zacznij od nowa.',
  badRequest:
    'Aplikacja wysłała żądanie, którego nie możemy zrealizować. Wróć do aplikacji i spróbuj ponownie.',
  tooManyRequests:
    'Z Twojej sieci podjęto zbyt wiele prób logowania. Poczekaj minutę, wróć do aplikacji i spróbuj ponownie.',
  details: 'Jeśli problem się powtarza, prześlij te szczegóły osobom prowadzącym aplikację:',
  fault: 'Problem leży po naszej stronie. Spróbuj ponownie za chwilę.',
};
