import type { LogoutMessages } from './messages.js';

/** Japanese. */
export const ja: LogoutMessages = {
  question: '{provider} からログアウトしますか？',
  questionWithClient: '{provider} からもログアウトしますか？',
  sentByClient: '{client} からログアウトします。',
  consequence: '{provider} でログインしたすべてのアプリにも、ログアウトを依頼します。',
  accept: 'はい、ログアウトする',
  decline: 'いいえ、ログインしたままにする',
  declineWithClient: 'いいえ、{client} だけログアウトする',
  anotherLogin: 'このリクエストは、現在ログインしているアカウントとは別のアカウントに対するものです。',
  badHint: 'このリクエストを確認できなかったため、アプリには戻りません。',
  redirectRefused: 'アプリが指定した移動先のページを確認できなかったため、このページにとどまります。',
  redirectNotRegistered:
    '戻り先のウェブアドレスが {client} に登録されていないため、このページにとどまります。',
  answeredBefore: 'すでに回答済みですが、まだログインしています。もう一度選択できます。',
  questionChanged: 'このページの情報が古くなっていました。もう一度選択してください。',
  endedTitle: 'ログアウトしました',
  ended: '{provider} からログアウトしました。',
  stillTitle: '{provider} にログインしたままです',
  kept: '変更はありません。',
  left: '{client} からのみログアウトしました。',
  notLoggedInTitle: 'ログインしていません',
  notLoggedIn: 'このブラウザでは {provider} にログインしていません。',
  asking: 'アプリにログアウトを依頼しています…',
  asked:
    '以下のアプリにログアウトを依頼しました。まだログインしたままのアプリがある場合は、そのアプリでログアウトしてください。',
  someFailed:
    '接続できないアプリがありました。まだログインしたままの可能性があるため、そのアプリを開いてログアウトしてください。',
  allConfirmed: '以下のすべてのアプリでログアウトが確認されました。',
  waiting: 'お待ちください…',
  notified: 'ログアウトを依頼済み',
  confirmed: 'ログアウト済み',
  retrying: '再試行中',
  failed: '接続できませんでした',
  oneMoreStepTitle: 'あと 1 ステップです',
  oneMoreStep: 'アプリからログアウトがリクエストされました。',
  badRequest: 'リクエストを処理できませんでした。アプリに戻って、もう一度お試しください。',
  fault:
    'サーバーで問題が発生しました。まだログインしたままの可能性があります。しばらくしてからもう一度お試しください。',
  tryAgain: 'ログアウトページへ',
};
