import type { BuiltInTag } from './built-in-directions.js';

/** Messages shared by the pages of several services. `{account}` and `{client}` are placeholders for names. */
export interface CommonMessages {
  readonly loggedInAs: string;
  readonly errorTitle: string;
  readonly badMethod: string;
  readonly goOn: string;
  /** A link to a client whose name is not shown. */
  readonly continue: string;
  readonly mayClose: string;
  /** Replaces the name of an unnamed client, in a form that fits every message. */
  readonly unnamedClient: string;
}

/** The shared messages in every language. */
export const COMMON_MESSAGES: Readonly<Record<BuiltInTag, CommonMessages>> = {
  ar: {
    loggedInAs: 'تم تسجيل الدخول باسم {account}.',
    errorTitle: 'حدث خطأ ما',
    badMethod: 'لا يمكن فتح هذه الصفحة بهذه الطريقة. عُد إلى التطبيق وحاول مرة أخرى.',
    goOn: 'المتابعة إلى {client}',
    continue: 'متابعة',
    mayClose: 'يمكنك إغلاق هذه النافذة.',
    unnamedClient: 'التطبيق',
  },
  de: {
    loggedInAs: 'Sie sind als {account} angemeldet.',
    errorTitle: 'Etwas ist schiefgelaufen',
    badMethod:
      'Diese Seite kann so nicht geöffnet werden. Gehen Sie zurück zur App und versuchen Sie es noch einmal.',
    goOn: 'Weiter zu {client}',
    continue: 'Weiter',
    mayClose: 'Sie können dieses Fenster schließen.',
    unnamedClient: 'der App',
  },
  en: {
    loggedInAs: 'You’re logged in as {account}.',
    errorTitle: 'Something went wrong',
    badMethod: 'This page can’t be opened that way. Go back to the app and try again.',
    goOn: 'Continue to {client}',
    continue: 'Continue',
    mayClose: 'You can close this window.',
    unnamedClient: 'the app',
  },
  es: {
    loggedInAs: 'Has iniciado sesión como {account}.',
    errorTitle: 'Se ha producido un error',
    badMethod: 'Esta página no se puede abrir de esa forma. Vuelve a la aplicación e inténtalo de nuevo.',
    goOn: 'Ir a {client}',
    continue: 'Continuar',
    mayClose: 'Puedes cerrar esta ventana.',
    unnamedClient: 'la aplicación',
  },
  fr: {
    loggedInAs: 'Compte connecté\u00a0: {account}',
    errorTitle: 'Un problème est survenu',
    badMethod: 'Cette page ne peut pas être ouverte de cette façon. Revenez à l’application et réessayez.',
    goOn: 'Continuer vers {client}',
    continue: 'Continuer',
    mayClose: 'Vous pouvez fermer cette fenêtre.',
    unnamedClient: 'l’application',
  },
  he: {
    loggedInAs: 'החשבון המחובר: {account}',
    errorTitle: 'משהו השתבש',
    badMethod: 'אי אפשר לפתוח את הדף הזה בדרך זו. יש לחזור לאפליקציה ולנסות שוב.',
    goOn: 'המשך לאפליקציה {client}',
    continue: 'המשך',
    mayClose: 'אפשר לסגור את החלון הזה.',
    unnamedClient: 'ללא שם',
  },
  it: {
    loggedInAs: 'Hai effettuato l’accesso come {account}.',
    errorTitle: 'Si è verificato un problema',
    badMethod: 'Questa pagina non può essere aperta in questo modo. Torna all’app e riprova.',
    goOn: 'Continua su {client}',
    continue: 'Continua',
    mayClose: 'Puoi chiudere questa finestra.',
    unnamedClient: 'questa app',
  },
  ja: {
    loggedInAs: '{account} としてログインしています。',
    errorTitle: '問題が発生しました',
    badMethod: 'このページはこの方法では開けません。アプリに戻って、もう一度お試しください。',
    goOn: '{client} に進む',
    continue: '続ける',
    mayClose: 'このウィンドウを閉じてもかまいません。',
    unnamedClient: 'アプリ',
  },
  nl: {
    loggedInAs: 'Je bent ingelogd als {account}.',
    errorTitle: 'Er is iets misgegaan',
    badMethod:
      'Deze pagina kan niet op deze manier worden geopend. Ga terug naar de app en probeer het opnieuw.',
    goOn: 'Doorgaan naar {client}',
    continue: 'Doorgaan',
    mayClose: 'Je kunt dit venster sluiten.',
    unnamedClient: 'de app',
  },
  pl: {
    loggedInAs: 'Zalogowano jako {account}.',
    errorTitle: 'Coś poszło nie tak',
    badMethod: 'Tej strony nie można otworzyć w ten sposób. Wróć do aplikacji i spróbuj ponownie.',
    goOn: 'Przejdź do aplikacji {client}',
    continue: 'Dalej',
    mayClose: 'Możesz zamknąć to okno.',
    unnamedClient: 'bez nazwy',
  },
  pt: {
    loggedInAs: 'Tem sessão iniciada como {account}.',
    errorTitle: 'Ocorreu um problema',
    badMethod: 'Não é possível abrir esta página dessa forma. Volte à aplicação e tente novamente.',
    goOn: 'Continuar para a aplicação {client}',
    continue: 'Continuar',
    mayClose: 'Pode fechar esta janela.',
    unnamedClient: 'sem nome',
  },
  'pt-br': {
    loggedInAs: 'Você fez login como {account}.',
    errorTitle: 'Algo deu errado',
    badMethod: 'Não é possível abrir esta página dessa forma. Volte ao app e tente de novo.',
    goOn: 'Continuar para o app {client}',
    continue: 'Continuar',
    mayClose: 'Você já pode fechar esta janela.',
    unnamedClient: 'sem nome',
  },
  tr: {
    loggedInAs: '{account} olarak oturum açtınız.',
    errorTitle: 'Bir sorun oluştu',
    badMethod: 'Bu sayfa bu şekilde açılamaz. Uygulamaya geri dönüp yeniden deneyin.',
    goOn: '{client} uygulamasına git',
    continue: 'Devam et',
    mayClose: 'Bu pencereyi kapatabilirsiniz.',
    unnamedClient: 'Adsız',
  },
  uk: {
    loggedInAs: 'Ви ввійшли як {account}.',
    errorTitle: 'Щось пішло не так',
    badMethod: 'Цю сторінку не можна відкрити в такий спосіб. Поверніться до застосунку та спробуйте ще раз.',
    goOn: 'Перейти до застосунку {client}',
    continue: 'Продовжити',
    mayClose: 'Це вікно можна закрити.',
    unnamedClient: 'без назви',
  },
  zh: {
    loggedInAs: '当前登录账号：{account}',
    errorTitle: '出了点问题',
    badMethod: '无法以这种方式打开此页面。请返回应用后重试。',
    goOn: '前往 {client}',
    continue: '继续',
    mayClose: '您可以关闭此窗口。',
    unnamedClient: '该应用',
  },
  'zh-tw': {
    loggedInAs: '目前登入的帳戶：{account}',
    errorTitle: '發生問題',
    badMethod: '無法以這種方式開啟此頁面。請返回應用程式後再試一次。',
    goOn: '前往 {client}',
    continue: '繼續',
    mayClose: '您可以關閉此視窗。',
    unnamedClient: '該應用程式',
  },
};
